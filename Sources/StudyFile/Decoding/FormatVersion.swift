import TextFormat

/// The version of the format, with which every file begins.
enum FormatVersion {
    static let field = Field(
        "entrain", Kind(["const": 1]) { node, reading in Located(value: node, range: node.range) },
        isRequired: true,
        "Format version", "The version of this format: 1.", example: 1)

    /// Reports any version but 1.
    static func check(_ fields: Fields) {
        guard let node = fields.node(field) else { return }
        guard let version = DecimalText.read(node, fields.reading), version != 1 else { return }
        fields.reading.report(
            .unknownVersion, "version \(node.quotedText) of the format is unknown", at: node.range,
            help: "this program understands version 1")
    }
}
