import StudyModel
import TextFormat

extension SourceInformation: Wired {
    static let form: WireForm<SourceInformation> = .record(
        {
            SourceInformation(
                device: $0, sensorLocation: $1, battery: $2, origin: $3, samplesBeforeRun: $4)
        }, WireField(optional: "device", \.device, .text),
        WireField(optional: "sensorLocation", \.sensorLocation, .text(.word(locations))),
        WireField(optional: "battery", \.battery, .whole),
        WireField(optional: "origin", \.origin, originForm),
        WireField(optional: "samplesBeforeRun", \.samplesBeforeRun, .whole))

    private static let locations: Set = ["chest", "wrist", "finger", "hand", "ear lobe", "foot", "other"]

    /// Seconds since 1970.
    private static let originForm: WireForm<Double> = .init(
        .moment, write: { .real($0) }, read: { try $0.asNumber() })
}
