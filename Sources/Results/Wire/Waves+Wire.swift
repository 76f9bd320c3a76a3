import StudyModel
import TextFormat

extension FileResult.Waves: Wired {
    static let form: WireForm<FileResult.Waves> = .record(
        { FileResult.Waves(WaveLayout($0, rate: $1), rate: $2, quantity: $3, givesBeats: $4) },
        WireField("channels", \.layout.channels, .list()),
        WireField(optional: "nominalRate", \.layout.rate, .real),
        WireField(optional: "rate", \.rate, .real),
        WireField(optional: "quantity", \.quantity, .identifier),
        WireField("givesBeats", unless: false, \.givesBeats, .boolean))
}

extension WaveLayout.Channel: Wired {
    static let form: WireForm<WaveLayout.Channel> = .record(
        WaveLayout.Channel.init, WireField("name", \.name, .text(FieldShape.channelName)),
        WireField(optional: "unit", \.unit, .text(FieldShape.channelUnit)))
}
