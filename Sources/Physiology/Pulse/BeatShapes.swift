/// How similar the waves around the beats are.
///
/// Band-passed noise has beats too, but no two of them look the same. Source of the idea: template matching of
/// Orphanidou et al. 2015, IEEE J Biomed Health Inform 19(3): 832, which calls a mean correlation of 0.86 with the
/// template good.
struct BeatShapes {
    private typealias Shape = SIMD32<Float>
    /// The wave around each beat, one period wide, with the mean removed and length 1; `nil` if the signal ends
    /// before the wave does.
    private let shapes: [Shape?]

    /// - Parameters:
    ///   - beats: samples from the signal's start, ascending.
    ///   - period: the width of a beat's wave, in samples.
    init(around beats: [Double], in signal: [Double], period: (Double) -> Double) {
        shapes = beats.map { beat in
            let width = period(beat)
            guard beat >= width / 2, beat + width / 2 < Double(signal.count - 1) else { return nil }
            return Self.shape(of: signal, from: beat - width / 2, width: width)
        }
    }

    private static func shape(of signal: [Double], from start: Double, width: Double) -> Shape? {
        var shape = Shape.zero
        for lane in shape.indices {
            let position = start + width * (Double(lane) + 0.5) / Double(shape.scalarCount)
            let left = Int(position)
            let weight = position - Double(left)
            shape[lane] = Float(signal[left] + (signal[left + 1] - signal[left]) * weight)
        }
        shape -= shape.sum() / Float(shape.scalarCount)
        let length = (shape * shape).sum().squareRoot()
        return length > 0 ? shape / length : nil
    }

    /// How well some beats correlate with their mean shape.
    ///
    /// - Returns: the mean over all beats, and over the three consecutive beats that are least similar; 0...1, 0
    ///   for fewer than three beats.
    func likeness(of beats: Range<Int>) -> (mean: Double, weakest: Double)? {
        let whole = shapes[beats].compactMap { $0 }
        guard whole.count >= 3 else { return nil }
        let sum = whole.reduce(.zero, +)
        let length = (sum * sum).sum().squareRoot()
        guard length > 0 else { return nil }
        let each: [Float] = whole.map { shape in (shape * sum).sum() / length }
        var weakest: Float = 1
        for beat in 2..<each.count {
            weakest = min(weakest, (each[beat - 2] + each[beat - 1] + each[beat]) / 3)
        }
        return (Double(length) / Double(whole.count), Double(weakest))
    }
}
