import Physiology
import StudyModel

/// Whether numbers without a telling name may be heart data.
///
/// Nearly every signal of the body can be scaled into the range of intervals or of heart rates. They differ in how
/// values follow each other: intervals vary from beat to beat and repeat with each breath, within a dozen beats; a
/// waveform is smooth, or repeats after many samples. Numbers that fit neither are refused, because a wrong
/// recording looks like a right one until somebody reads its results.
struct SeriesJudge {
    /// At most this many values are examined.
    private static let sampleLimit = 8192
    /// Fewer values have no statistics; only their range and their jumps count.
    private static let fewestValues = 12

    private let values: [Double]
    private let steps: [Double]
    private let middle: Double

    /// - Parameter values: in order, without -1 and 0, which stand for missing values.
    init(_ values: some Collection<Double>) {
        self.values = Array(values.prefix(Self.sampleLimit))
        steps = zip(self.values.dropFirst(), self.values).map { $0 - $1 }
        middle = median(self.values) ?? 0
    }

    /// Why these are not intervals between beats; `nil` if they may be.
    ///
    /// - Parameters:
    ///   - unit: how many of the values' units make a second.
    ///   - times: the times of the values, seconds, if the file has them. They must then be as far apart as the
    ///     intervals say.
    ///   - isLikely: whether the file's name suggests it, so that only impossible intervals are refused.
    func objectionToIntervals(unit: Double, times: [Double]? = nil, isLikely: Bool) -> String? {
        if let times, !Self.follow(times, values.map { $0 / unit }) {
            return "they do not follow each other at such intervals"
        }
        let inRange = share { (0.3...2.2).contains($0 / unit) }
        guard values.count >= Self.fewestValues else {
            let jumps = steps.contains { abs($0) > 0.6 * middle }
            return inRange < 1 || jumps ? "they vary more than intervals do" : nil
        }
        if inRange < (isLikely ? 0.8 : 0.95) { return "they vary more than intervals do" }
        if isLikely || times != nil { return nil }
        if smallestStep * 1000 / unit > 10, !moves.isEmpty {
            return "they change in steps too coarse for a device that measures beats"
        }
        if typicalStep < 0.006 * middle { return "they vary less than intervals do" }
        if isWave || turns > 0.85 || widestSteps > 30 { return Self.wave }
        // Intervals in fibrillation look random, but with a wide spread and a tail of long intervals.
        if roughness > 1.7, typicalStep < 0.1 * middle || skewness < 0.2 { return "they vary like noise" }
        if doRepeat { return "they repeat like a waveform" }
        return nil
    }

    /// Whether values rise or fall over many of them, which intervals do not.
    var isWave: Bool {
        values.count >= Self.fewestValues && !moves.isEmpty
            && (turns < 0.2 || widestSteps > 4.5 && persistence > 1.5)
    }

    /// What is said of such values.
    static let wave = "they rise and fall like a waveform"

    /// Whether values rise and fall so slowly that no breathing makes intervals do so.
    var isSlowWave: Bool { values.count >= Self.fewestValues && turns < 0.08 && !moves.isEmpty }

    /// Why these are not heart rates; `nil` if they may be.
    ///
    /// - Parameters:
    ///   - period: seconds between two values; `nil` if the file does not say.
    ///   - isNamed: whether the column's name may mean a heart rate, so that only a waveform is refused.
    func objectionToRates(period: Double?, isNamed: Bool) -> String? {
        if !isNamed {
            let (lowest, highest) = (values.min() ?? 0, values.max() ?? 0)
            if !(30...220).contains(middle) || share({ (25...240).contains($0) }) < 0.95 {
                return "they are outside the usual range of heart rates"
            }
            if middle < 43, highest - lowest < 10 { return "they may be degrees" }
            if values.count >= Self.fewestValues, middle >= 85, highest <= 101, share({ $0 >= 85 }) > 0.9 {
                return "they may be percent of oxygen, or degrees"
            }
        }
        guard values.count >= Self.fewestValues else { return nil }
        // A plain list in this range may be anything.
        if !isNamed, period == nil { return "many signals have values like heart rates" }
        if !isNamed, let period, period < 0.4 {
            return "a heart rate does not come \((1 / period).wholeNumber) times a second"
        }
        if !isNamed, Set(steps).count == 1 { return "they all differ by the same" }
        if 3 * steps.count(where: { abs($0) > 15 }) > steps.count {
            return "they jump more than heart rates do"
        }
        if !isNamed, typicalStep > 8 { return "they jump more than heart rates do" }
        if doRepeat { return "they repeat like a waveform" }
        return nil
    }

    private func share(_ isGood: (Double) -> Bool) -> Double {
        values.isEmpty ? 0 : Double(values.count(where: isGood)) / Double(values.count)
    }

    /// Whether, in most rows, times differ by the values of their rows or of the rows before them.
    private static func follow(_ times: [Double], _ values: [Double]) -> Bool {
        func fits(_ offset: Int) -> Int {
            (1..<max(times.count, 1)).count { index in
                let value = values[index - offset]
                return abs(times[index] - times[index - 1] - value) <= max(0.02, 0.03 * value)
            }
        }
        guard times.count == values.count, times.count > 1 else { return false }
        return 4 * max(fits(0), fits(1)) >= 3 * (times.count - 1)
    }

    private var moves: [Double] { steps.filter { $0 != 0 } }

    /// The smallest step, which is the device's resolution.
    private var smallestStep: Double { moves.lazy.map { abs($0) }.min() ?? .infinity }

    private var typicalStep: Double { median(steps.map { abs($0) }) ?? 0 }

    /// How often the direction changes, as a share of the steps that are not 0.
    private var turns: Double {
        let moves = moves
        guard moves.count > 2 else { return 0 }
        return Double(zip(moves.dropFirst(), moves).count { ($0 > 0) != ($1 > 0) }) / Double(moves.count - 1)
    }

    /// The widest twentieth of the steps, relative to typical ones. Spikes of an electrocardiogram are far wider.
    private var widestSteps: Double {
        let sizes = steps.map { abs($0) }.sorted()
        let typical = max(typicalStep, 1e-12)
        return sizes[sizes.count * 19 / 20] / typical
    }

    private var variance: Double {
        let mean = values.mean
        return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
    }

    /// The mean squared step divided by the variance (von Neumann): 2 for independent values, 0 for a smooth
    /// series.
    private var roughness: Double {
        let variance = variance
        guard variance > 0 else { return 0 }
        return steps.reduce(0) { $0 + $1 * $1 } / Double(steps.count) / variance
    }

    private var skewness: Double {
        let (mean, variance) = (values.mean, variance)
        guard variance > 0 else { return 0 }
        return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) * ($1 - mean) } / Double(values.count)
            / (variance * variance.squareRoot())
    }

    /// How much farther values are apart after four steps than after two: 1 for values that wander, 2 on a slope.
    private var persistence: Double {
        func apart(_ lag: Int) -> Double {
            zip(values.dropFirst(lag), values).reduce(0) { $0 + abs($1.0 - $1.1) }
        }
        let near = apart(2)
        return near > 0 ? apart(4) / near : 0
    }

    /// Whether the values repeat after 13 or more of them. An earlier repetition may be breathing.
    private var doRepeat: Bool {
        let roughness = roughness
        return [128, 512, 2048, 8192].contains { window in
            // Over long windows, a smooth series is one of effort and rest.
            guard values.count >= max(window / 2, 128), window <= 512 || roughness > 0.01 else {
                return false
            }
            let starts = stride(from: 0, through: max(values.count - window, 0), by: window).prefix(8)
            let found = starts.map { Self.repetition(in: values[$0..<min($0 + window, values.count)]) }
            return (median(found) ?? 0) > (window == 128 ? 0.65 : 0.48)
        }
    }

    /// The autocorrelation at the lag where it is highest; 0 if that lag is less than 13 values.
    private static func repetition(in part: ArraySlice<Double>) -> Double {
        let centred = withoutTrend(Array(part))
        let count = centred.count
        let power = centred.reduce(0) { $0 + $1 * $1 } / Double(count)
        guard power > 1e-12 else { return 0 }
        let limit = count / 2
        // Long windows are thinned, because a repetition that needs them is slow.
        let stride = max(1, limit / 1024)
        var correlations: [(lag: Int, value: Double)] = []
        for lag in Swift.stride(from: 1, to: limit, by: stride) {
            var sum = 0.0
            for index in lag..<count { sum += centred[index] * centred[index - lag] }
            correlations.append((lag, sum / Double(count - lag) / power))
        }
        guard let trough = correlations.firstIndex(where: { $0.value < 0 }) else { return 0 }
        let later = correlations[trough...]
        guard let peak = later.max(by: { $0.value < $1.value }), peak.value > 0,
            let first = later.first(where: { $0.value >= 0.9 * peak.value })
        else { return 0 }
        return first.lag >= 13 ? peak.value : 0
    }

    /// The values without their linear trend.
    private static func withoutTrend(_ values: [Double]) -> [Double] {
        let count = Double(values.count)
        let centre = (count - 1) / 2
        let mean = values.reduce(0, +) / count
        var (rise, spread) = (0.0, 0.0)
        for (index, value) in values.enumerated() {
            rise += (Double(index) - centre) * (value - mean)
            spread += (Double(index) - centre) * (Double(index) - centre)
        }
        let slope = spread > 0 ? rise / spread : 0
        return values.enumerated().map { $0.element - mean - slope * (Double($0.offset) - centre) }
    }
}

/// What a file's name says about its values, word by word: `P01_RR.txt`, `eda.csv`.
enum RecordingHint: Hashable {
    case intervals
    case rates
    /// Another signal.
    case other

    private static let words: [RecordingHint: Set<String>] = [
        .intervals: ["rr", "rri", "ibi", "nn", "nni", "ppi", "rrintervals", "intervals"],
        .rates: ["hr", "heartrate", "bpm", "pulserate"],
        .other: [
            "ecg", "ekg", "ppg", "bvp", "eda", "gsr", "emg", "eeg", "eog", "acc", "temp", "temperature",
            "resp", "rsp",
            "respiration", "breathing", "spo", "spo2", "gyro", "scl", "skt", "pcg", "bcg", "scr",
        ],
    ]

    /// Why values belong to another signal, if the file itself says so, by its name or by a rate in a comment.
    static func objection(_ hint: RecordingHint?, isSampled: Bool) -> String? {
        hint == .other || isSampled ? "the file says that it is a sampled signal" : nil
    }

    /// `nil` if the name says nothing, or several things.
    init?(fileName: String) {
        let name = fileName.split(separator: "/").last ?? ""
        let parts = Set(
            name.lowercased().split { !($0.isLetter || $0.isNumber) }.dropLast(name.contains(".") ? 1 : 0)
                .map(String.init))
        let found = Self.words.filter { !$0.value.isDisjoint(with: parts) }
        guard found.count == 1, let hint = found.first else { return nil }
        self = hint.key
    }
}

extension RecordingProblem {
    /// No name says what the values are, and they may not be heart data.
    static func notSaid(_ objection: String, isRate: Bool) -> RecordingProblem {
        var problem = RecordingProblem(
            "nothing says what these values are, and they may not be \(isRate ? "heart rates" : "intervals between beats"): "
                + "\(objection). If they come from a heart, say so with --as hr (beats per minute) or --as rr (intervals), if they "
                + "are the voltage of a heart, with --as ecg (and --rate, if no column has times), or begin the file with a line of names such as time,hr"
        )
        problem.objection = objection
        return problem
    }
}
