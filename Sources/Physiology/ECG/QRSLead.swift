/// What beats look like in a lead, and which of their points counts.
///
/// The form is that of the slopes, from which the wandering of the baseline and most of the movement of electrodes are
/// absent. It follows the lead slowly, and is learned anew only from beats that are alike among themselves, so that
/// noise does not become the model.
struct QRSLead {
    /// Slopes over 0.3 s; empty until they are known.
    private var form: [Double] = []
    /// From the middle of the form to the point that counts, seconds; and whether it is a maximum.
    private var anchor = 0.0
    private var isUp = true

    /// Points of the form per second, and to each side; how far a beat may be shifted against it.
    private static let rate = 125.0
    private static let half = 19
    private static let shift = 18
    /// Beats this alike have the same point; those this alike teach the form.
    private static let leastAlike = 0.7
    private static let teaching = 0.85
    private static let surelyAlike = 0.95
    /// How far the point may be from where the form has it, and how far in an unlike beat; seconds.
    private static let reach = 0.024
    private static let unlikeReach = 0.1
    /// A beat that points the other way reaches at least this many times as far there.
    private static let contrary = 2.5
    /// A peak at the end of the reach counts this share less than one in the middle, where the slopes are.
    private static let centring = 0.3

    struct Fit {
        /// The correlation, -1...1.
        var likeness: Double
        /// Where the form fits, in its own points.
        var shift: Int
    }

    /// Learns the form from beats, if they are unlike what is known.
    mutating func learn(_ middles: [Int], in signal: RecentValues, rate: Double) {
        let all = middles.map { slopes(in: signal, at: $0, rate: rate) }
        if !form.isEmpty, let usual = median(all.map { Self.fit(of: form, in: $0).likeness }),
            usual >= Self.leastAlike
        {
            return
        }
        let some = Array(all.prefix(16))
        let own = some.map { Self.part($0, 0) }
        let scores = some.indices.map { place in
            median(
                some.indices.filter { $0 != place }.map { Self.fit(of: own[place], in: some[$0]).likeness })
                ?? 0
        }
        guard let best = some.indices.max(by: { scores[$0] < scores[$1] }),
            form.isEmpty || scores[best] > Self.teaching
        else { return }
        var sum = own[best]
        for place in some.indices where place != best {
            let fit = Self.fit(of: own[best], in: some[place])
            guard fit.likeness > 0.8 else { continue }
            sum = zip(sum, Self.part(some[place], fit.shift)).map(+)
        }
        form = sum
        chooseAnchor()
    }

    /// How alike a wave is to the beats; `nil` until they are known.
    func fit(at middle: Int, in signal: RecentValues, rate: Double) -> Fit? {
        form.isEmpty ? nil : Self.fit(of: form, in: slopes(in: signal, at: middle, rate: rate))
    }

    /// How alike each of some beats is to the form, or to two of the beats around it, whichever is more.
    func likeness(of middles: [Int], in signal: RecentValues, rate: Double) -> [Double] {
        let all = middles.map { slopes(in: signal, at: $0, rate: rate) }
        return all.indices.map { place in
            let own = form.isEmpty ? 0 : Self.fit(of: form, in: all[place]).likeness
            guard own < Self.surelyAlike else { return own }
            let around = all.indices.clamped(to: place - 4..<place + 5).filter { $0 != place }.map {
                Self.fit(of: Self.part(all[$0], 0), in: all[place]).likeness
            }
            return max(own, around.sorted().dropLast().last ?? 0)
        }
    }

    /// The point of a beat that counts, with a fraction: the vertex of the parabola through the extreme sample and its
    /// neighbours.
    mutating func point(at middle: Int, in signal: RecentValues, rate: Double) -> Double {
        let beat = slopes(in: signal, at: middle, rate: rate)
        let fit = form.isEmpty ? Fit(likeness: 0, shift: 0) : Self.fit(of: form, in: beat)
        guard fit.likeness > Self.leastAlike else {
            return unlikePoint(near: middle, in: signal, reach: Int(Self.unlikeReach * rate))
        }
        let near = Double(middle) + (Double(fit.shift) / Self.rate + anchor) * rate
        if fit.likeness > Self.teaching {
            let size = form.reduce(0) { $0 + $1 * $1 }.squareRoot()
            let part = Self.part(beat, fit.shift)
            let own = max(part.reduce(0) { $0 + $1 * $1 }.squareRoot(), .leastNormalMagnitude)
            form = zip(form, part).map { $0 + ($1 * size / own - $0) / 16 }
        }
        return extreme(in: signal, near: near, reach: Self.reach * rate, isUp: isUp)
    }

    /// The peak of a beat that looks like no other: in the direction of the others, unless it points far more the other
    /// way.
    private func unlikePoint(near middle: Int, in signal: RecentValues, reach: Int) -> Double {
        let around = signal.indices.clamped(to: middle - 2 * reach..<middle + 2 * reach + 1)
        let level = median(around.map { signal[$0] }) ?? 0
        var heights = (above: 0.0, below: 0.0)
        for place in around where abs(place - middle) <= reach {
            let distance = Double(place - middle) / Double(reach)
            let height = (signal[place] - level) * (1 - Self.centring * distance * distance)
            heights = (max(heights.above, height), max(heights.below, -height))
        }
        let (along, against) = isUp ? heights : (heights.below, heights.above)
        return extreme(
            in: signal, near: Double(middle), reach: Double(reach),
            isUp: against > Self.contrary * along ? !isUp : isUp)
    }

    /// The highest or lowest point of the form, rather in the middle than at its ends.
    private mutating func chooseAnchor() {
        var height = 0.0
        let heights = form.map { slope in
            height += slope
            return height
        }
        let level = median(heights) ?? 0
        let worth = heights.indices.map { place in
            let distance = Double(place - Self.half) / Double(Self.half)
            return abs(heights[place] - level) * (1 - Self.centring * distance * distance)
        }
        let top = worth.indices.max { worth[$0] < worth[$1] } ?? Self.half
        isUp = heights[top] > level
        anchor = Double(top - Self.half) / Self.rate
    }

    private func extreme(in signal: RecentValues, near place: Double, reach: Double, isUp: Bool) -> Double {
        let (middle, reach) = (Int(place.rounded()), max(1, Int(reach.rounded())))
        let range = signal.indices.clamped(to: middle - reach..<middle + reach + 1)
        let heights = range.map { isUp ? signal[$0] : -signal[$0] }
        guard let first = range.first, let top = heights.indices.max(by: { heights[$0] < heights[$1] }) else {
            return place
        }
        return Double(first) + UpslopeBeats.vertex(of: heights, at: top).at
    }

    private func slopes(in signal: RecentValues, at middle: Int, rate: Double) -> [Double] {
        let (count, range) = (Self.half + Self.shift + 1, signal.indices)
        let values = (-count...count).map { point in
            let place = middle + Int((Double(point) * rate / Self.rate).rounded())
            return signal[min(max(place, range.lowerBound), range.upperBound - 1)]
        }
        return zip(values.dropFirst(2), values).map { $0 - $1 }
    }

    private static func part(_ slopes: [Double], _ shift: Int) -> [Double] {
        Array(slopes[Self.shift + shift...Self.shift + shift + 2 * half])
    }

    private static func fit(of form: [Double], in slopes: [Double]) -> Fit {
        var best = Fit(likeness: -1, shift: 0)
        for shift in -Self.shift...Self.shift {
            let likeness = correlation(form, slopes, Self.shift + shift)
            if likeness > best.likeness { best = Fit(likeness: likeness, shift: shift) }
        }
        return best
    }

    /// The correlation of a form with slopes from a place on.
    private static func correlation(_ form: [Double], _ slopes: [Double], _ first: Int) -> Double {
        var (sumA, sumB, squareA, squareB, product) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for place in form.indices {
            let (a, b) = (form[place], slopes[first + place])
            sumA += a
            sumB += b
            squareA += a * a
            squareB += b * b
            product += a * b
        }
        let count = Double(form.count)
        let size = ((squareA - sumA * sumA / count) * (squareB - sumB * sumB / count)).squareRoot()
        return size > 0 ? (product - sumA * sumB / count) / size : 0
    }
}
