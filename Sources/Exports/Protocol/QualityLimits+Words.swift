import StudyModel
import TextFormat

extension QualityLimits {
    /// What a run must reach, in a sentence.
    var sentence: String {
        let wanted: [String?] = [
            coverage.map {
                "less than \(plainNumber(($0 * 1000).rounded() / 10)) % of a recording has samples"
            },
            longestGap.map { "samples are missing for more than \(seconds($0.seconds))" },
            pauses.map { "there are more than \(counted($0, "pause"))" },
            lateness.map { "a planned moment is off by more than \(milliseconds($0.seconds)) ms" },
            underruns.map { "the sound device runs out of sound more than \(counted($0, "time"))" },
        ]
        return "A run is complete but poor if \(listed(wanted.compactMap(\.self), last: "or"))."
    }
}
