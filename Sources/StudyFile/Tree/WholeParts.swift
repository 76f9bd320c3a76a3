/// The lists and groups of keys that were read completely, in a file whose reading ended early.
struct WholeParts: Sendable {
    /// The ranges, which do not overlap.
    private let ranges: [SourceRange]

    init(_ ranges: [SourceRange]) { self.ranges = ranges.sorted { $0.start < $1.start } }

    /// Whether a place lies within one of them.
    func contain(_ place: SourcePlace) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].start <= place { low = middle + 1 } else { high = middle }
        }
        return low > 0 && place <= ranges[low - 1].end
    }
}
