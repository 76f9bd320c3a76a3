/// What a stretch of ECG looks like to a detector: the smooth signal, its slope, and the energy of its slopes.
///
/// The signal is smoothed over a period of 50 Hz and over one of 60 Hz, so that mains hum of either kind vanishes;
/// the slope is taken over 10 ms, and its size is averaged over 80 ms, about the length of a QRS complex. All
/// filters are symmetric, so each has one known delay and moves no wave against another. Source of the chain:
/// Hamilton and Tompkins 1986, IEEE Trans Biomed Eng 33:1157; Hamilton 2002, Comput Cardiol 29:101.
struct QRSWave {
    private var fiftyHertz: RunningSum
    private var sixtyHertz: RunningSum
    private var energy: RunningSum
    /// Samples over which the slope is taken.
    private let step: Int
    /// The smooth signal, in the signal's own unit.
    private(set) var smooth: RecentValues
    /// Its slope, in the signal's unit per `step`.
    private(set) var slope: RecentValues

    /// By how many samples the smooth signal, and the energy, come after the signal.
    let smoothDelay: Double
    let energyDelay: Double

    /// - Parameters:
    ///   - rate: samples per second.
    ///   - first: the first sample, which counts as having been there before.
    ///   - memory: seconds that are remembered.
    init(rate: Double, first: Double, memory: Double) {
        fiftyHertz = RunningSum(width: Int((rate / 50).rounded()), first: first)
        sixtyHertz = RunningSum(width: Int((rate / 60).rounded()), first: first)
        energy = RunningSum(width: Int((0.08 * rate).rounded()), first: 0)
        step = max(1, Int((0.01 * rate).rounded()))
        smooth = RecentValues(capacity: Int(memory * rate) + step + 1)
        slope = RecentValues(capacity: Int(memory * rate) + step + 1)
        smoothDelay = Double(fiftyHertz.width + sixtyHertz.width - 2) / 2
        energyDelay = smoothDelay + Double(step) / 2 + Double(energy.width - 1) / 2
    }

    /// Takes a sample and returns the energy.
    mutating func energy(with sample: Double) -> Double {
        smooth.append(sixtyHertz.mean(with: fiftyHertz.mean(with: sample)))
        let last = smooth.count - 1
        slope.append(last >= step ? smooth[last] - smooth[last - step] : 0)
        return energy.mean(with: abs(slope[last]))
    }

    /// A wave with its measures.
    ///
    /// - Parameters:
    ///   - index: the maximum of its energy.
    ///   - height: that maximum.
    func candidate(at index: Int, height: Double, rate: Double) -> QRSCandidate {
        let middle = index - Int(energyDelay - smoothDelay)
        let (wide, near, lag) = (Int(0.1 * rate), Int(0.06 * rate), Int((0.02 * rate).rounded()))
        var found = QRSCandidate(index: index, height: height, rise: 0, fall: 0, bend: 0)
        for place in slope.indices.clamped(to: middle - wide..<middle + wide + 1) {
            found.rise = max(found.rise, slope[place])
            found.fall = max(found.fall, -slope[place])
        }
        for place in slope.indices.clamped(to: middle - near..<middle + near + 1).dropFirst(lag) {
            found.bend = max(found.bend, abs(slope[place] - slope[place - lag]))
        }
        return found
    }
}
