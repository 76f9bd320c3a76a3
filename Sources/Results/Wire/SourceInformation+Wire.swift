import StudyModel
import TextFormat

extension SourceInformation {
    var wire: JSON {
        .members([
            "battery": battery.map { .integer($0) },
            "device": device.map { .text($0) },
            "origin": origin.map { .real($0) },
            "samplesBeforeRun": samplesBeforeRun.map { .integer($0) },
            "sensorLocation": sensorLocation.map { .text($0) },
        ])
    }

    init(wire: JSON) throws {
        self.init(
            device: try wire.optional("device") { try $0.asText() },
            sensorLocation: try wire.optional("sensorLocation") { try $0.asText() },
            battery: try wire.optional("battery") { try $0.asInteger() },
            origin: try wire.optional("origin") { try $0.asNumber() },
            samplesBeforeRun: try wire.optional("samplesBeforeRun") { try $0.asInteger() })
    }
}
