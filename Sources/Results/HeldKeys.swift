import StudyModel

/// Distinguishes presses from what a terminal repeats while a key is held down.
///
/// A terminal repeats a held key after a delay of up to 0.7 s, then at least ten times a second, which no finger
/// does with one key.
enum HeldKeys {
    /// Two presses of one key are at least this far apart.
    private static let shortest = Duration.milliseconds(90)
    /// The longest delay before the first repetition.
    private static let longestDelay = Duration.milliseconds(750)
    /// A held key repeats at least this often in a row.
    private static let fewest = 3

    /// The places of the presses.
    ///
    /// - Parameter keys: the key and the moment of each arrival, in order; others are `nil` and stay.
    static func presses(_ keys: [(key: String, instant: RunInstant)?]) -> [Int] {
        var places: [String: [Int]] = [:]
        var pressed: [Int] = []
        for (place, arrival) in keys.enumerated() {
            guard let arrival else {
                pressed.append(place)
                continue
            }
            places[arrival.key, default: []].append(place)
        }
        for own in places.values {
            let instants = own.map { keys[$0]?.instant ?? .start }
            var last: RunInstant?
            var first = 0
            while first < own.count {
                var end = first + 1
                while end < own.count, instants[end - 1].duration(to: instants[end]) < shortest { end += 1 }
                let isDelayed = last.map { $0.duration(to: instants[first]) <= longestDelay } ?? false
                if end - first < fewest || !isDelayed { pressed.append(own[first]) }
                last = instants[end - 1]
                first = end
            }
        }
        return pressed.sorted()
    }
}
