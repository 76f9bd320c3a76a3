/// The distinct texts of a column, and which of them each value is.
struct DistinctTexts {
    /// Each text after its length in four bytes, in the form of a page.
    private(set) var page: [UInt8] = []
    /// The range of each text in the page.
    private(set) var ranges: [Range<Int>] = []
    /// The index of each value's text.
    private(set) var places: [UInt32] = []
    /// Indices by the hash of their text; a power of two of them, at most half of them in use.
    private var slots: [UInt32] = Array(repeating: Self.free, count: 1 << 8)
    /// Whether texts are looked up. This stops if they hardly ever repeat.
    private var looksUp = true

    private static let free = UInt32.max

    /// Whether a dictionary is shorter than storing each value.
    var repeatsMuch: Bool { !ranges.isEmpty && ranges.count * 2 <= places.count }

    mutating func append(_ bytes: [UInt8], _ range: Range<Int>) {
        // Most values are the same as the one before.
        if let last = places.last, isEqual(ranges[Int(last)], bytes, range) { return places.append(last) }
        guard looksUp else { return add(bytes, range) }
        let slot = slot(of: bytes, range)
        if slots[slot] != Self.free { return places.append(slots[slot]) }
        slots[slot] = UInt32(ranges.count)
        add(bytes, range)
        if ranges.count * 2 > slots.count { grow() }
    }

    /// Starts again, and stops looking texts up if they did not repeat.
    mutating func removeAll() {
        looksUp = looksUp && (places.isEmpty || repeatsMuch)
        page.removeAll(keepingCapacity: true)
        ranges.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        slots = Array(repeating: Self.free, count: 1 << 8)
    }

    /// Every value after its length.
    var plain: [UInt8] {
        guard ranges.count < places.count else { return page }
        var bytes: [UInt8] = []
        for place in places {
            let range = ranges[Int(place)]
            bytes.append(page, range.lowerBound - 4..<range.upperBound)
        }
        return bytes
    }

    /// The first and the last text in the order of their bytes; `nil` if there is none, or if one of them is long.
    var bounds: (least: [UInt8], greatest: [UInt8])? {
        guard var least = ranges.first, var greatest = ranges.first else { return nil }
        for range in ranges.dropFirst() {
            if precedes(range, least) { least = range }
            if precedes(greatest, range) { greatest = range }
        }
        let longest = 64
        guard least.count <= longest, greatest.count <= longest else { return nil }
        return (Array(page[least]), Array(page[greatest]))
    }

    private mutating func add(_ bytes: [UInt8], _ range: Range<Int>) {
        page.append(littleEndian: UInt32(range.count))
        let start = page.count
        page.append(bytes, range)
        places.append(UInt32(ranges.count))
        ranges.append(start..<page.count)
    }

    /// The slot of a text, or the free slot for it.
    private func slot(of bytes: [UInt8], _ range: Range<Int>) -> Int {
        var hasher = Hasher()
        let text = bytes.span.extracting(range)
        unsafe text.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        var slot = hasher.finalize() & (slots.count - 1)
        while slots[slot] != Self.free, !isEqual(ranges[Int(slots[slot])], bytes, range) {
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }

    private mutating func grow() {
        slots = Array(repeating: Self.free, count: slots.count * 2)
        for (place, range) in ranges.enumerated() { slots[slot(of: page, range)] = UInt32(place) }
    }

    private func isEqual(_ own: Range<Int>, _ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        guard own.count == range.count else { return false }
        let (left, right) = (page.span, bytes.span)
        for offset in 0..<own.count where left[own.lowerBound + offset] != right[range.lowerBound + offset] {
            return false
        }
        return true
    }

    private func precedes(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        page[left].lexicographicallyPrecedes(page[right])
    }
}
