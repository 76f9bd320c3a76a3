/// One pass of correction, in which every abnormal interval is replaced.
struct IntervalRepair {
    /// ms.
    private(set) var intervals: [Double] = []
    /// For each interval, the place in the given series that it came from.
    private(set) var origins: [Int] = []
    /// Places of the intervals that are new, ascending.
    private(set) var changed: [Int] = []

    private let given: [Double]
    private let givenOrigins: [Int]
    private let found: IntervalArtefacts

    /// - Parameters:
    ///   - given: ms.
    ///   - origins: one for each interval, passed on.
    ///   - found: what is wrong with `given`.
    init(of given: [Double], origins: [Int], artefacts found: IntervalArtefacts) {
        self.given = given
        givenOrigins = origins
        self.found = found
        intervals.reserveCapacity(given.count + found.count)
        self.origins.reserveCapacity(given.count + found.count)
        var place = 0
        while place < given.count { place = repair(place) }
    }

    /// Appends the correction for a place, and returns the next place.
    private mutating func repair(_ place: Int) -> Int {
        switch found.kinds[place] {
        case .missed:
            return split(place, into: max(2, wholeIntervals(at: place)))
        case .longShort where wholeIntervals(at: place) >= 3:
            return split(place, into: wholeIntervals(at: place))
        case .extra where place + 1 < given.count:
            append(given[place] + given[place + 1], from: place)
            return place + 2
        case .ectopic, .longShort:
            return spread(misplaced(from: place))
        case .extra, nil:
            let next = place + 1
            // The stretch that begins here may belong to the misplaced beat after it.
            if found.kinds[place] == nil, next < given.count, isMisplaced(next) {
                let stretch = misplaced(from: next)
                if stretch.lowerBound == place { return spread(stretch) }
            }
            append(given[place], from: place)
            return next
        }
    }

    /// How many intervals like those around it fit into an interval; 0 if that is not a whole number.
    private func wholeIntervals(at place: Int) -> Int {
        let count = given[place] / found.medians[place]
        return count < 20 && abs(count - count.rounded()) < 0.25 ? Int(count.rounded()) : 0
    }

    private mutating func split(_ place: Int, into parts: Int) -> Int {
        for _ in 0..<parts { append(given[place] / Double(parts), from: place) }
        return place + 1
    }

    private mutating func append(_ interval: Double, from place: Int) {
        if found.kinds[place] != nil || interval != given[place] { changed.append(intervals.count) }
        intervals.append(interval)
        origins.append(givenOrigins[place])
    }

    private func isMisplaced(_ place: Int) -> Bool {
        found.kinds[place] == .ectopic || found.kinds[place] == .longShort
    }

    /// The intervals around misplaced beats: a run of them, and the neighbour that compensates for their length.
    private func misplaced(from first: Int) -> ClosedRange<Int> {
        var last = first
        while last + 1 < given.count, isMisplaced(last + 1) { last += 1 }
        let excess = (first...last).reduce(0) { $0 + given[$1] - found.medians[$1] }
        let neighbours = [first - 1, last + 1].filter {
            given.indices.contains($0) && found.kinds[$0] == nil
                && abs(excess + given[$0] - found.medians[$0]) < abs(excess) / 2
        }
        let best = neighbours.min {
            abs(excess + given[$0] - found.medians[$0]) < abs(excess + given[$1] - found.medians[$1])
        }
        guard let best else { return first...last }
        return min(first, best)...max(last, best)
    }

    /// Spaces the beats of a stretch evenly between the intervals before and after it.
    ///
    /// The stretch keeps its length, unless that is not a whole number of intervals like those around it.
    private mutating func spread(_ stretch: ClosedRange<Int>) -> Int {
        let middle = found.medians[(stretch.lowerBound + stretch.upperBound) / 2]
        let before = intervals.last ?? middle
        let next = stretch.upperBound + 1
        let after = next < given.count && found.kinds[next] == nil ? given[next] : middle
        let count = Double(stretch.count)
        let line = (1...stretch.count).map { before + (after - before) * Double($0) / (count + 1) }
        let rest = stretch.reduce(0) { $0 + given[$1] } - line.reduce(0, +)
        let isOwnLength = abs(rest / count) < 0.15 * middle
        for (place, value) in zip(stretch, line) {
            append(isOwnLength ? value + rest / count : value, from: place)
        }
        return next
    }
}
