import StudyModel
import TextFormat

extension SourceInformation: Wired {
    static let form: WireForm<SourceInformation> = .record(
        {
            SourceInformation(
                device: $0, identifier: $1, host: $2, clock: $3, sensorLocation: $4, battery: $5, origin: $6,
                samplesBeforeRun: $7)
        }, WireField(optional: "device", \.device, .replaced),
        WireField(optional: "identifier", \.identifier, .replaced),
        WireField(optional: "host", \.host, .replaced),
        WireField("clock", unless: [], \.clock, .list(comparisonForm)),
        WireField(optional: "sensorLocation", \.sensorLocation, .text(.word(locations))),
        WireField(optional: "battery", \.battery, .whole),
        WireField(optional: "origin", \.origin, originForm),
        WireField(optional: "samplesBeforeRun", \.samplesBeforeRun, .whole)
    ).and {
        WireField(optional: "manufacturer", \.manufacturer, .text)
        WireField(optional: "model", \.model, .text)
        WireField(optional: "firmware", \.firmware, .text)
        WireField(optional: "nominalRate", \.nominalRate, .magnitude)
    }

    private static let comparisonForm: WireForm<ClockComparison> = .record(
        { ClockComparison(runOffset: $0, offset: $1, doubt: $2) },
        WireField("runOffset", \.runOffset, .seconds), WireField("offset", \.offset, .number(-1e8...1e8)),
        WireField("doubt", \.doubt, .magnitude))

    private static let locations: Set = ["chest", "wrist", "finger", "hand", "ear lobe", "foot", "other"]

    /// Seconds since 1970.
    private static let originForm: WireForm<Double> = .init(
        .moment, write: { .real($0) }, read: { try $0.asNumber() })
}
