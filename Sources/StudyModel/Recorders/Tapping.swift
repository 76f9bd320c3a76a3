/// Which keys a recorder of taps listens to.
public struct Tapping: Hashable, Sendable {
    /// The keys by their names: `space`, `return`, a letter or a digit; at least one, each once.
    public var keys: [String]

    public init(keys: [String]) { self.keys = keys }

    /// The keys of a recorder that names none.
    public static let usualKeys = ["space"]

    /// The keys that can be chosen. The letters of commands are not among them: they pause or leave the step.
    public static let possibleKeys: [String] =
        ["space", "return"] + "acdefghijklmnortuvwxyz0123456789".map { String($0) }
}

/// A press of a key in time with a clip.
public struct Tap: Hashable, Sendable {
    /// The key's name.
    public var key: String
    /// What was heard of the clip at this moment, as a position in its file; `nil` if no clip was heard.
    public var position: Duration?
    /// The nearest beat; `nil` if the clip's beats are not known, or if none is near.
    public var beat: Beat?

    /// A beat, and how far from it a tap was.
    public struct Beat: Hashable, Sendable {
        /// Counts the clip's beats, from 1.
        public var number: Int
        /// The tap's moment less the beat's: below zero if the tap came first.
        public var asynchrony: Duration
        /// The asynchrony as an angle, with the time between two beats as a full turn; −180…180 degrees.
        public var phase: Double

        public init(number: Int, asynchrony: Duration, phase: Double) {
            (self.number, self.asynchrony, self.phase) = (number, asynchrony, phase)
        }
    }

    public init(key: String, position: Duration? = nil, beat: Beat? = nil) {
        (self.key, self.position, self.beat) = (key, position, beat)
    }
}

/// When the beats of a clip are heard, as positions in its file.
public enum BeatGrid: Hashable, Sendable {
    /// At these positions: two at least, ascending.
    case positions([Duration])
    /// At a steady tempo: the time between two beats, above zero, and the position of the first.
    case steady(interval: Duration, first: Duration)

    /// The beat nearest to a position; `nil` if it is more than half the time between two beats away from all.
    ///
    /// - Parameter end: where the clip ends, if that is known.
    package func beat(near position: Duration, end: Duration?) -> Tap.Beat? {
        switch self {
        case .positions(let beats):
            let next = beats.firstIndex { $0 > position } ?? beats.count
            let near = [next - 1, next].filter(beats.indices.contains)
            let nearest = near.min { beats[$0].distance(to: position) < beats[$1].distance(to: position) }
            guard let nearest else { return nil }
            // Beyond the ends, the first and the last interval go on.
            let isBefore = nearest == 0 ? false : position < beats[nearest] || nearest == beats.count - 1
            let start = isBefore ? nearest - 1 : nearest
            return beat(nearest, at: beats[nearest], interval: beats[start + 1] - beats[start], for: position)
        case .steady(let interval, let first):
            let nearest = max(0, ((position - first) / interval).rounded())
            guard nearest < 1e9 else { return nil }
            var number = Int(nearest)
            if let end, number > 0, first + interval * number >= end { number -= 1 }
            return beat(number, at: first + interval * number, interval: interval, for: position)
        }
    }

    private func beat(
        _ index: Int, at beat: Duration, interval: Duration, for position: Duration
    ) -> Tap.Beat? {
        let asynchrony = position - beat
        let share = asynchrony / interval
        guard abs(share) <= 0.5 else { return nil }
        return Tap.Beat(number: index + 1, asynchrony: asynchrony, phase: share * 360)
    }

    /// The beats within a range of positions, ascending.
    package func beats(in range: Range<Duration>) -> [Duration] {
        switch self {
        case .positions(let beats): return beats.filter(range.contains)
        case .steady(let interval, let first):
            let start = max(0, ((range.lowerBound - first) / interval).rounded(.up))
            let end = ((range.upperBound - first) / interval).rounded(.up)
            guard start < end, end < 1e9 else { return [] }
            return (Int(start)..<Int(end)).map { first + interval * $0 }.filter(range.contains)
        }
    }

    /// The first beat at or after a position; `nil` if there is none.
    package func next(from position: Duration, end: Duration?) -> Duration? {
        switch self {
        case .positions(let beats): return beats.first { $0 >= position }
        case .steady(let interval, let first):
            let number = max(0, ((position - first) / interval).rounded(.up))
            guard number < 1e9 else { return nil }
            let beat = first + interval * Int(number)
            return end.map { beat < $0 } == false ? nil : beat
        }
    }
}

extension Duration {
    fileprivate func distance(to other: Duration) -> Duration { self < other ? other - self : self - other }
}
