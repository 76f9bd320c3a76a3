import Physiology

/// What an outcome takes from the heart in a step: columns of `steps`.
struct HeartFigures {
    var mean: HeartRateMean?
    var variability: HeartRateVariability?
    var correctedShare: Double?
    /// The same as that to which others are relative.
    var rest: Double?
    var restVariability: HeartRateVariability?

    init(_ heart: StepHeart) {
        mean = heart.mean()
        let own = heart.variability()
        variability = own?.variability
        correctedShare = own?.correctedShare ?? mean?.correctedShare
        rest = heart.rest
        restVariability = heart.variability(wholly: true)?.variability
    }

    static func columns<Row>(
        _ heart: @escaping @Sendable (Row) -> HeartFigures?
    ) -> [RowColumn<Row>] {
        RowColumn.list {
            RowColumn.optional(
                "heart_rate_bpm", .real,
                "mean heart rate as an outcome takes it, from 5 s after the onset to the end, 1/min"
            ) { heart($0)?.mean?.rate }
            RowColumn.optional(
                "heart_rate_from", .text, "what it was worked out from: intervals, or notified rates"
            ) { heart($0)?.mean?.origin.rawValue }
            RowColumn.optional("rmssd_ms", .real, "RMSSD of the corrected intervals of that time, ms") {
                heart($0)?.variability?.rmssd
            }
            RowColumn.optional("sdnn_ms", .real, "SDNN of the corrected intervals of that time, ms") {
                heart($0)?.variability?.sdnn
            }
            RowColumn.optional(
                "corrected_share", .real, "share of the intervals of that time that were corrected, 0...1"
            ) { heart($0)?.correctedShare }
            RowColumn.optional(
                "rest_heart_rate_bpm", .real,
                "mean heart rate of the last 60 s, as that to which other steps are relative, 1/min"
            ) { heart($0)?.rest }
            RowColumn.optional("rest_rmssd_ms", .real, "RMSSD of the whole step, likewise, ms") {
                heart($0)?.restVariability?.rmssd
            }
            RowColumn.optional("rest_sdnn_ms", .real, "SDNN of the whole step, likewise, ms") {
                heart($0)?.restVariability?.sdnn
            }
        }
    }
}
