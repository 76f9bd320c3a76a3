import Physiology
import Results
import TextFormat

/// A person's zones and intensities, and how long their heart was in each.
struct ZoneTable {
    /// Times in seconds and rates, in order.
    typealias Samples = [(time: Double, rate: Double)]

    let maximumRate: Double
    let formula: MaximumHeartRate?
    let age: Double?
    let reserve: HeartRateReserve?
    let samples: Samples?
    /// The run in which they were measured, if it is known.
    let run: RunDescription?

    private struct Row {
        var name: String
        /// What the share refers to.
        var basis: String
        var share: Range<Double>
        /// The rates of the row, per minute.
        var rates: Range<Double>
        /// How long the heart was in it.
        var time: Double?
    }

    private var zones: [Row] {
        let names = HeartRateZone.allCases.map { "zone \($0.rawValue)" }
        let shares = HeartRateZone.allCases.map(\.lowerShare)
        return rows(names, shares, of: "maximum", from: 0.5 * maximumRate) { $0 * maximumRate }
    }

    private var intensities: [Row] {
        guard let reserve else { return [] }
        let all = HeartRateReserve.Intensity.allCases
        return rows(all.map(\.rawValue), all.map(\.lowerShare), of: "reserve", from: 0) {
            reserve.rate(at: $0)
        }
    }

    /// - Parameter lowest: the lowest rate of the first row. The last row includes all rates above the maximum.
    private func rows(
        _ names: [String], _ shares: [Double], of basis: String, from lowest: Double,
        rate: (Double) -> Double
    ) -> [Row] {
        let edges = [lowest] + shares.dropFirst().map(rate) + [Double.infinity]
        let bands = zip(edges, edges.dropFirst()).map { $0..<$1 }
        let times = samples.map { samples in
            secondsSpent(in: bands, times: samples.map(\.time), rates: samples.map(\.rate))
        }
        return names.indices.map { index in
            let upper = index + 1 < shares.count ? shares[index + 1] : 1
            return Row(
                name: names[index], basis: basis, share: shares[index]..<upper,
                rates: rate(shares[index])..<rate(upper), time: times?[index])
        }
    }

    var json: JSON {
        var members: [String: JSON] = [
            "maximum": .real(maximumRate), "zones": .list(zones.map(Self.json)),
        ]
        members["age"] = age.map(JSON.real)
        members["formula"] = formula.map { .text($0.rawValue) }
        members["resting"] = (reserve?.restingRate).map(JSON.real)
        if reserve != nil { members["intensities"] = .list(intensities.map(Self.json)) }
        return .members(members.merging(run?.originMembers ?? [:]) { $1 })
    }

    private static func json(_ row: Row) -> JSON {
        var members: [String: JSON] = [
            "name": .text(row.name), "fromShare": .real(row.share.lowerBound),
            "toShare": .real(row.share.upperBound), "from": .real(rounded(row.rates.lowerBound)),
            "to": .real(rounded(row.rates.upperBound)),
        ]
        members["seconds"] = row.time.map(JSON.real)
        return .members(members)
    }

    private static func rounded(_ rate: Double) -> Double { (rate * 1e6).rounded() / 1e6 }

    var text: String {
        let origin = formula.map { "\($0.rawValue) at \(oneDecimal(age ?? 0)) years" } ?? "as measured"
        let origins = run.map { [printable($0.originText)] } ?? []
        let cells = (zones + intensities).map(Self.cells)
        // If no times follow, nothing is added after the third column.
        let widths = (0..<(samples == nil ? 2 : 3)).map { column in
            cells.map { $0[column].count }.max() ?? 0
        }
        let lines = cells.map { cells in
            let aligned = zip(cells, widths + [0, 0]).map { padded($0, to: $1) }
            return aligned.filter { !$0.isEmpty }.joined(separator: "  ")
        }
        return (origins + ["highest heart rate \(oneDecimal(maximumRate)) per minute (\(origin))"] + lines)
            .joined(separator: "\n") + "\n"
    }

    private static func cells(_ row: Row) -> [String] {
        let percents = [row.share.lowerBound, row.share.upperBound].map { whole(100 * $0) }
        let rates = [row.rates.lowerBound, row.rates.upperBound].map(oneDecimal)
        return [
            row.name, rates.joined(separator: " … "),
            percents.joined(separator: " … ") + " % of the \(row.basis)",
            row.time.map(seconds) ?? "",
        ]
    }
}
