import Statistics
import StudyModel

/// The means of arms, each with a variance of its own, adjusted for the participants' baselines along one line.
///
/// Without baselines, two arms are compared by Welch's test and several by Welch's F. With them, each arm's residuals give
/// its variance in the same way (Johansen, Biometrika 67 (1980) 85; doi 10.1093/biomet/67.1.85).
struct ArmMeans {
    let isAdjusted: Bool
    /// The variance of each arm's participants around the line.
    let variances: [Double]
    private let means: [Double]
    private let arms: [Arm]

    /// What one arm adds to the doubt about all means.
    private struct Arm {
        /// The variance of its mean without the line.
        var ofMean: Double
        /// What it adds to the variance of the line's slope.
        var ofSlope: Double
        /// The degrees of freedom of its variance.
        var degrees: Double
        /// How far its mean baseline is from that of all.
        var distance: Double
    }

    /// - Parameter members: those of each arm, at least two.
    /// - Returns: `nil` if an arm's variance is not known.
    init?(_ members: [[GroupContrasts.Member]]) {
        let all = members.joined()
        let baselines = all.compactMap(\.baseline)
        let centre = baselines.count == all.count ? baselines.mean : 0
        let own = members.map { $0.map { baselines.count == all.count ? ($0.baseline ?? 0) - centre : 0 } }
        let values = members.map { $0.map(\.value) }
        let within = own.map { baselines in baselines.map { $0 - baselines.mean } }
        let spreads = within.map { $0.reduce(0) { $0 + $1 * $1 } }
        let spread = spreads.reduce(0, +)
        // What varies by rounding only adjusts for nothing.
        isAdjusted = spread > 1e-18 * max(1, centre * centre)
        let slope =
            isAdjusted
            ? zip(within, values).reduce(0) { sum, arm in
                sum + zip(arm.0, arm.1).reduce(0) { $0 + $1.0 * $1.1 }
            } / spread : 0
        means = zip(values, own).map { $0.mean - slope * $1.mean }
        var arms: [Arm] = []
        var variances: [Double] = []
        for place in members.indices {
            let mean = values[place].mean
            let squares = zip(within[place], values[place]).reduce(0) {
                let left = $1.1 - mean - slope * $1.0
                return $0 + left * left
            }
            let share = isAdjusted ? spreads[place] / spread : 0
            let degrees = Double(values[place].count - 1) - share
            guard degrees > 1e-9 else { return nil }
            let variance = squares / degrees
            variances.append(variance)
            arms.append(
                Arm(
                    ofMean: variance / Double(values[place].count),
                    ofSlope: isAdjusted ? variance * share / spread : 0, degrees: degrees,
                    distance: own[place].mean))
        }
        self.arms = arms
        self.variances = variances
    }

    /// The difference of two means.
    func estimate(_ first: Int, minus second: Int) -> MixedModel.Estimate? {
        let distance = arms[first].distance - arms[second].distance
        let parts = arms.indices.map { place in
            (place == first || place == second ? arms[place].ofMean : 0)
                + arms[place].ofSlope * distance * distance
        }
        let variance = parts.reduce(0, +)
        let value = means[first] - means[second]
        guard variance > 1e-24 * max(1, value * value) else { return nil }
        let doubt = zip(parts, arms).reduce(0) { $0 + $1.0 * $1.0 / $1.1.degrees }
        return .init(value: value, error: variance.squareRoot(), degrees: variance * variance / doubt)
    }

    /// Whether any means differ; `nil` if two arms do not vary.
    var test: GroupContrasts.Omnibus? {
        // Each arm but the last, minus the last.
        let count = arms.count - 1
        let matrices = arms.indices.map { place in
            var matrix = SymmetricMatrix(size: count)
            let sign = (0..<count).map { $0 == place ? 1.0 : place == count ? -1 : 0 }
            matrix.add(sign, times: arms[place].ofMean)
            matrix.add(
                (0..<count).map { arms[$0].distance - arms[count].distance }, times: arms[place].ofSlope)
            return matrix
        }
        var whole = SymmetricMatrix(size: count)
        for matrix in matrices { whole.add(matrix, times: 1) }
        guard let inverse = whole.inverted?.inverse else { return nil }
        let differences = (0..<count).map { means[$0] - means[count] }
        let number = Double(count)
        let doubt =
            zip(matrices, arms).reduce(0) { sum, arm in
                let trace = arm.0.trace(with: inverse)
                return sum + (trace * trace + arm.0.traceOfSquare(with: inverse)) / arm.1.degrees
            } / 2
        let f = inverse.form(differences, differences) / (number + 2 * doubt - 6 * doubt / (number + 2))
        let denominator = number * (number + 2) / (3 * doubt)
        return .init(
            f: f, numerator: count, denominator: denominator,
            p: StudentT.share(aboveF: f, number, denominator))
    }
}
