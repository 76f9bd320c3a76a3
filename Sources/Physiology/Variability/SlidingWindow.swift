/// The values around each place of a series, kept sorted, so that their quantiles are available.
@safe struct SlidingWindow: ~Copyable {
    private typealias Lanes = SIMD8<Double>

    /// The first `count` elements are the window's values, ascending; infinity follows.
    private let sorted: UnsafeMutablePointer<Double>
    private var count = 0

    /// The quantile of the values within `reach` places of each place, with NumPy's default interpolation.
    ///
    /// Near the ends the windows are shorter.
    /// - Parameters:
    ///   - shares: 0...1, such as 0.5 for the median.
    ///   - series: finite numbers.
    ///   - body: called for each place in order, with one quantile for each share.
    static func quantiles<let number: Int>(
        _ shares: InlineArray<number, Double>, within reach: Int, of series: [Double],
        body: (Int, InlineArray<number, Double>) -> Void
    ) {
        var window = SlidingWindow(capacity: 2 * reach + 1)
        for value in series.prefix(reach) { window.insert(value) }
        for place in series.indices {
            let (leaving, entering) = (place - reach - 1, place + reach)
            switch (leaving >= 0, entering < series.count) {
            case (true, true): window.replace(series[leaving], by: series[entering])
            case (true, false): window.remove(series[leaving])
            case (false, true): window.insert(series[entering])
            case (false, false): break
            }
            var quantiles = shares
            for index in shares.indices { quantiles[index] = window.quantile(shares[index]) }
            body(place, quantiles)
        }
    }

    private init(capacity: Int) {
        let whole = (capacity / Lanes.scalarCount + 1) * Lanes.scalarCount
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: whole * MemoryLayout<Double>.stride, alignment: MemoryLayout<Lanes>.alignment)
        unsafe sorted = memory.bindMemory(to: Double.self, capacity: whole)
        unsafe sorted.initialize(repeating: .infinity, count: whole)
    }

    deinit { unsafe sorted.deallocate() }

    private func quantile(_ share: Double) -> Double {
        let position = share * Double(count - 1)
        let low = Int(position)
        let high = min(low + 1, count - 1)
        let (below, above) = unsafe (sorted[low], sorted[high])
        return below + (position - Double(low)) * (above - below)
    }

    /// Index of the first value that is not below `value`. All values are counted, which is faster than a search
    /// whose branches are all mispredicted.
    private func place(of value: Double) -> Int {
        let lanes = unsafe UnsafeRawPointer(sorted).assumingMemoryBound(to: Lanes.self)
        let limit = Lanes(repeating: value)
        var below = SIMD8<Int64>.zero
        for index in 0..<(count + Lanes.scalarCount - 1) / Lanes.scalarCount {
            below.replace(with: below &+ 1, where: unsafe lanes[index] .< limit)
        }
        return Int(below.wrappedSum())
    }

    private mutating func insert(_ value: Double) {
        let place = place(of: value)
        unsafe (sorted + place + 1).update(from: sorted + place, count: count - place)
        unsafe sorted[place] = value
        count += 1
    }

    private mutating func remove(_ value: Double) {
        let place = place(of: value)
        unsafe (sorted + place).update(from: sorted + place + 1, count: count - place - 1)
        count -= 1
        unsafe sorted[count] = .infinity
    }

    private mutating func replace(_ old: Double, by new: Double) {
        let (leaving, entering) = (place(of: old), place(of: new))
        if entering > leaving {
            unsafe (sorted + leaving).update(from: sorted + leaving + 1, count: entering - leaving - 1)
            unsafe sorted[entering - 1] = new
        } else {
            unsafe (sorted + entering + 1).update(from: sorted + entering, count: leaving - entering)
            unsafe sorted[entering] = new
        }
    }
}
