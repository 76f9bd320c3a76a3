import StudyModel
import TextFormat

/// What a run must reach to be good.
enum QualityShape {
    static let shape = Shape<QualityLimits>(
        name: "quality", title: "Quality",
        description: "What a run must reach: if it misses a limit, it is complete but poor.",
        fields: .of(coverage, longestGap, pauses, lateness, underruns),
        rules: [.atLeastOne(["coverage", "longestGap", "pauses", "lateness", "underruns"])]
    ) { fields in
        QualityLimits(
            coverage: fields[coverage], longestGap: fields[longestGap], pauses: fields[pauses],
            lateness: fields[lateness], underruns: fields[underruns])
    }

    private static let coverage = Field(
        "coverage", .number(0...1), "Coverage", "The least share of each recording with samples.",
        example: 0.9)
    private static let longestGap = Field(
        "longestGap", .duration(), "Longest gap", "The longest time without samples.", example: "10 s")
    private static let pauses = Field(
        "pauses", .integer(0...1000), "Pauses", "The most pauses.", example: 1)
    private static let lateness = Field(
        "lateness", .duration(), "Lateness", "The farthest that a planned moment may be off.",
        example: "100 ms")
    private static let underruns = Field(
        "underruns", .integer(0...1000), "Underruns", "How often the sound device may run out of sound.",
        example: 0)
}
