import StudyModel
import TextFormat

extension FileResult.Waves {
    var wire: JSON {
        .members([
            "channels": .list(layout.channels.map(\.wire)),
            "givesBeats": givesBeats ? true : nil,
            "nominalRate": layout.rate.map { .real($0) },
            "quantity": quantity.map { .text($0) },
            "rate": rate.map { .real($0) },
        ])
    }

    init(wire: JSON) throws {
        let layout = WaveLayout(
            try wire.field("channels").asList(WaveLayout.Channel.init(wire:)),
            rate: try wire.optional("nominalRate") { try $0.asNumber() })
        self.init(
            layout, rate: try wire.optional("rate") { try $0.asNumber() },
            quantity: try wire.optional("quantity") { try $0.asIdentifier() },
            givesBeats: try wire.optional("givesBeats") { try $0.asBoolean() } ?? false)
    }
}
