import Physiology
import TextFormat

extension TapSummary {
    /// The line for people.
    ///
    /// - Parameter hasClip: whether there was a clip to tap to.
    func line(hasClip: Bool) -> String {
        var parts = [counted(count, "tap")]
        if let meanInterval { parts.append("\(whole(meanInterval * 1000)) ms between them") }
        if count > 0, hasClip { parts.append("\(onBeats) near a beat") }
        if let meanAsynchrony {
            let spread = asynchronyDeviation.map { " (SD \(oneDecimal($0 * 1000)) ms)" } ?? ""
            let side = meanAsynchrony < 0 ? "early" : "late"
            parts.append("\(oneDecimal(abs(meanAsynchrony) * 1000)) ms \(side)\(spread)")
        }
        if let vectorLength, let meanDirection {
            parts.append("vector \(decimals(vectorLength, 2)) at \(whole(meanDirection))°")
        }
        return parts.joined(separator: ", ")
    }

    var json: JSON {
        var members: [String: JSON] = ["taps": .integer(count), "onBeats": .integer(onBeats)]
        members["meanAsynchrony"] = meanAsynchrony.map { .real($0) }
        members["asynchronyDeviation"] = asynchronyDeviation.map { .real($0) }
        members["meanDirection"] = meanDirection.map { .real($0) }
        members["vectorLength"] = vectorLength.map { .real($0) }
        members["meanInterval"] = meanInterval.map { .real($0) }
        members["intervalDeviation"] = intervalDeviation.map { .real($0) }
        return .members(members)
    }
}
