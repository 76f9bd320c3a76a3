import Physiology
import TextFormat

/// Standard deviations that differ by more than a factor of two. A test that assumes equal spread then finds too much
/// or too little.
package struct UnevenSpread: Sendable {
    package var least: Deviation
    package var most: Deviation

    /// The standard deviation of an arm, a condition, or the difference between two conditions.
    package struct Deviation: Sendable {
        package var name: String
        package var value: Double
    }

    /// The largest factor that is not mentioned.
    static let tolerable = 2.0

    /// - Returns: `nil` if the deviations are alike.
    init?(_ deviations: [Deviation]) {
        guard let least = deviations.min(by: { $0.value < $1.value }),
            let most = deviations.max(by: { $0.value < $1.value }),
            most.value > Self.tolerable * least.value
        else { return nil }
        (self.least, self.most) = (least, most)
    }

    /// `SD 1.20 in quiet, 3.80 in music`.
    func words(_ places: Int) -> String {
        "SD \(decimals(least.value, places)) in \(printable(least.name)), \(decimals(most.value, places)) in "
            + printable(most.name)
    }

    var json: JSON { ["least": least.json, "most": most.json] }
}

extension UnevenSpread.Deviation {
    fileprivate var json: JSON { ["name": .text(name), "deviation": .real(value)] }
}

extension ContrastDesign {
    /// How conditions differ in spread: their own, and with more than two of them that of the participants' differences
    /// between two, which the model assumes to be equal. What participants have in common in all conditions hides the
    /// first, and never the second.
    var unevenSpread: UnevenSpread? {
        var values = Array(repeating: [Int: Double](), count: conditions.count)
        for (row, value) in self.values.enumerated() { values[levels[row]][groups[row]] = value }
        let own = zip(conditions, values).compactMap { name, values in
            Self.deviation(name, values.sorted { $0.key < $1.key }.map(\.value))
        }
        guard conditions.count > 2 else { return UnevenSpread(own) }
        let differences = conditions.indices.flatMap { first in
            conditions[(first + 1)...].indices.compactMap { second in
                Self.deviation(
                    "\(conditions[first]) - \(conditions[second])",
                    values[first].sorted { $0.key < $1.key }.compactMap { person, value in
                        values[second][person].map { value - $0 }
                    })
            }
        }
        return UnevenSpread(differences) ?? UnevenSpread(own)
    }

    private static func deviation(_ name: String, _ values: [Double]) -> UnevenSpread.Deviation? {
        values.count > 1 ? .init(name: name, value: standardDeviation(values)) : nil
    }
}
