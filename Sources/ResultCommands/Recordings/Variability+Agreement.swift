import Console
import Physiology
import Recordings
import Statistics
import StudyModel
import TextFormat

extension Variability {
    /// Says how far two recordings of the same heart agree.
    func reportAgreement(with other: String) throws {
        if let plot { try NewFile.mustBeNew(plot) }
        let lists = [try IntervalList(contentsOf: file, guidance.guide), try IntervalList(contentsOf: other)]
        for (name, list) in zip([file, other], lists) {
            for warning in list.reading.warnings { Output.remark("\(printable(name)): \(warning)") }
        }
        guard let agreement = BeatAgreement(lists[0].beats, lists[1].beats) else {
            throw SourceFailure(
                "\(printable(file)) and \(printable(other)): nothing says that they are of the same heart: nowhere within "
                    + "10 minutes of each other do half of their beats lie together", isBadData: true)
        }
        let report = AgreementReport(agreement: agreement)
        if let plot { try NewFile.write(Array(report.svg.utf8), to: plot) }
        switch format {
        case .json: Output.say(json: report.json)
        case .text: Output.emit(.lines(report.lines.joined(separator: "\n") + "\n"))
        }
    }
}

/// What is said and drawn of an agreement. All differences are the second minus the first.
private struct AgreementReport {
    let agreement: BeatAgreement

    /// The bias and the limits of agreement of the intervals, ms, each with its 95 % confidence interval.
    ///
    /// Source: Bland and Altman, Statistical Methods in Medical Research 8, 1999, 135-160. The pairs count as independent.
    private var limits: (bias: Bound, low: Bound, high: Bound)? {
        guard let (mean, deviation) = agreement.differences else { return nil }
        let count = Double(agreement.pairs.count)
        let t = StudentT(degrees: agreement.pairs.count - 1).quantile(0.975)
        let (own, reach) = (t * deviation / count.squareRoot(), 1.96 * deviation)
        let limit = t * deviation * (1 / count + 1.96 * 1.96 / (2 * (count - 1))).squareRoot()
        return (
            Bound(mean, own), Bound(mean - reach, limit), Bound(mean + reach, limit)
        )
    }

    private struct Bound {
        let value: Double
        let half: Double
        init(_ value: Double, _ half: Double) { (self.value, self.half) = (value, half) }

        var words: String { "\(signed(value, 1)) (\(signed(value - half, 1)) to \(signed(value + half, 1)))" }
        var json: JSON {
            [
                "value": .real(value), "low": .real(value - half), "high": .real(value + half),
            ]
        }
    }

    /// How much later the second has the beats, ms.
    private var jitter: (deviation: Double, within: Double)? {
        guard agreement.delays.count > 1 else { return nil }
        let sizes = agreement.delays.map { 1000 * abs($0) }.sorted()
        return (1000 * standardDeviation(agreement.delays), sizes[sizes.count * 95 / 100])
    }

    /// More than this means that no line describes the clocks, seconds.
    private static let largestBreak = 0.05

    var lines: [String] {
        let (clock, count) = (agreement.clock, agreement.delays.count)
        let error = clock.slopeError.map { " ± \(decimals(1e6 * $0, 1))" } ?? ""
        var lines = [
            "both recorded \(oneDecimal(agreement.seconds)) s: \(agreement.beats.first) and \(agreement.beats.second) beats",
            "the second clock: \(signed(-clock.offset, 3)) s, \(signed(-1e6 * clock.slope, 1))\(error) ppm against the first",
            "beats: \(count) lie within 150 ms of each other, \(agreement.beats.first - count) are only in the first, "
                + "\(agreement.beats.second - count) only in the second",
            "sensitivity \(percent(agreement.sensitivity)), precision \(percent(agreement.precision)), "
                + "F1 \(percent(agreement.f1))",
        ]
        if let (deviation, within) = jitter {
            lines.append(
                "moments of the beats: standard deviation \(oneDecimal(deviation)) ms, 95 % within \(oneDecimal(within)) ms"
            )
        }
        if let limits {
            lines += [
                "intervals: \(counted(agreement.pairs.count, "pair")), the second minus the first, ms (95 % confidence)",
                "  bias                 \(limits.bias.words)", "  limits of agreement  \(limits.low.words)",
                "                       \(limits.high.words)",
            ]
        }
        if let (own, other) = agreement.rmssd {
            lines.append("RMSSD of these intervals: \(oneDecimal(own)) and \(oneDecimal(other)) ms")
        }
        if agreement.largestBreak > Self.largestBreak { lines.append("careful: \(breakWords)") }
        return lines
    }

    private var breakWords: String {
        "somewhere the clocks are \(whole(1000 * agreement.largestBreak)) ms from that line for 31 beats: one of them was "
            + "set or stopped, and what is said of the beats is worse than the devices are"
    }

    private func percent(_ share: Double) -> String { "\(decimals(100 * share, 2)) %" }

    var json: JSON {
        let clock = agreement.clock
        var members: [String: JSON] = [
            "seconds": .real(agreement.seconds),
            "beats": ["first": .integer(agreement.beats.first), "second": .integer(agreement.beats.second)],
            "matched": .integer(agreement.delays.count), "sensitivity": .real(agreement.sensitivity),
            "precision": .real(agreement.precision), "f1": .real(agreement.f1),
            "clock": .members([
                "offset": .real(-clock.offset), "drift": .real(-1e6 * clock.slope),
                "driftError": clock.slopeError.map { .real(1e6 * $0) } ?? .null,
                "largestBreak": .real(agreement.largestBreak),
            ]),
        ]
        if let (deviation, within) = jitter {
            members["jitter"] = ["standardDeviation": .real(deviation), "within95": .real(within)]
        }
        if let limits {
            members["intervals"] = [
                "pairs": .integer(agreement.pairs.count), "bias": limits.bias.json,
                "lowerLimit": limits.low.json, "upperLimit": limits.high.json,
            ]
        }
        if let (own, other) = agreement.rmssd {
            members["rmssd"] = ["first": .real(own), "second": .real(other)]
        }
        members["doubts"] = .texts(agreement.largestBreak > Self.largestBreak ? [breakWords] : [])
        return .members(members)
    }

    /// The differences over the means.
    var svg: String {
        let points = agreement.pairs.map { (x: ($0.first + $0.second) / 2, y: $0.second - $0.first) }
        let bounds = limits.map { [$0.bias, $0.low, $0.high] } ?? []
        let reach = max(1, (points.map { abs($0.y) } + bounds.map { abs($0.value) }).max() ?? 1) * 1.1
        let (low, high) = ((points.map(\.x).min() ?? 0) - 10, (points.map(\.x).max() ?? 1) + 10)
        func x(_ value: Double) -> String { oneDecimal(70 + 560 * (value - low) / (high - low)) }
        func y(_ value: Double) -> String { oneDecimal(200 - 170 * value / reach) }
        let dots = points.map { "<circle cx=\"\(x($0.x))\" cy=\"\(y($0.y))\" r=\"2.2\"/>" }.joined(
            separator: "\n")
        let lines = bounds.map { bound in
            "<path d=\"M70 \(y(bound.value))H630\"/><text x=\"636\" y=\"\(y(bound.value))\">\(signed(bound.value, 1))</text>"
        }.joined(separator: "\n")
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 420" font-family="sans-serif" font-size="13">
            <title>Differences of \(points.count) intervals over their means, with bias and limits of agreement</title>
            <rect width="700" height="420" fill="#fff"/>
            <g fill="#0a5a96" fill-opacity="0.45">
            \(dots)
            </g>
            <path d="M70 30V370H630" fill="none" stroke="#444"/>
            <g stroke="#b3261e" stroke-dasharray="6 4" fill="#b3261e">
            \(lines.replacing("<text", with: "<text stroke=\"none\""))
            </g>
            <text x="350" y="405" text-anchor="middle">mean of both intervals, ms</text>
            <text transform="translate(18 200) rotate(-90)" text-anchor="middle">second minus first, ms</text>
            <text x="70" y="388" text-anchor="middle">\(whole(low))</text>
            <text x="630" y="388" text-anchor="middle">\(whole(high))</text>
            <text x="64" y="\(y(reach / 1.1))" text-anchor="end">\(oneDecimal(reach / 1.1))</text>
            <text x="64" y="\(y(-reach / 1.1))" text-anchor="end">\(oneDecimal(-reach / 1.1))</text>
            </svg>

            """
    }
}
