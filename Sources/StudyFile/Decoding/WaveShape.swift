import StudyModel
import TextFormat

/// Which channels of a waveform a recorder keeps, and what a quantity is.
enum WaveShape {
    static func fields(of signal: Signal) -> [FieldDeclaration] {
        switch signal {
        case .quantity: .of(quantity, unit, channels)
        case .ecg, .ppg: .of(channels, beats)
        case _: .of(channels)
        }
    }

    /// What a recorder keeps of a waveform.
    struct Draft {
        var signal: Signal
        var channels: [String]
        var givesBeats = false
    }

    /// - Returns: `nil` if a quantity is not described.
    static func read(_ fields: Fields, of signal: Signal) -> Draft? {
        let kept = fields[channels] ?? []
        var seen: Set<String> = []
        for channel in kept where !seen.insert(channel.value).inserted {
            fields.reading.report(
                .duplicateIdentifier, "the channel '\(channel.value)' is listed twice", at: channel.range,
                help: "leave one of them out")
        }
        guard signal == .quantity else {
            let givesBeats = [.ecg, .ppg].contains(signal) ? fields[beats] ?? false : false
            return Draft(signal: signal, channels: kept.map(\.value), givesBeats: givesBeats)
        }
        guard let name = fields[quantity], let unit = fields[unit] else { return nil }
        return Draft(signal: .quantity(named: name, unit: unit), channels: kept.map(\.value))
    }

    /// Reports recorders that all give the beats of the same steps.
    static func check(_ recorders: [RecorderVariants.Draft], _ reading: Reading) {
        for other in recorders.filter(\.recorder.givesBeats).dropFirst() {
            reading.report(
                .conflictingKeys, "two recorders give the heart rates and intervals of one step",
                at: other.identifier.range, help: "leave 'beats: true' with one of them")
        }
    }

    private static let beats = Field(
        "beats", .boolean, usual: false, "Beats",
        "Whether heart rates and intervals are those of the beats in this recording, even if others were recorded.",
        example: true)

    private static let channels = Field(
        "channels", .list(Kind<String>.text(atMost: 200).located, atLeast: 1, noun: "channel"), "Channels",
        "The channels that are kept, in this order, as the source names them; all of them unless the study says.",
        example: ["ECG"])
    private static let quantity = Field(
        "name", Kind<Identifier>.identifier, isRequired: true, "Name",
        "What is measured. A script's lines have this key, and a stream has this type.", example: "glucose")
    private static let unit = Field(
        "unit", .ucumUnit, isRequired: true, "Unit", "The unit in UCUM; 1 if there is none.",
        example: "mmol/L")
}

extension Kind<String> {
    /// A unit in UCUM: visible ASCII characters.
    static var ucumUnit: Kind {
        let text = Kind.text(atMost: 40)
        let schema: JSON = [
            "$comment": "unit in UCUM", "type": ["string", "integer"], "pattern": "^[!-~]{1,40}$",
        ]
        return Kind(schema) { node, reading in
            guard let unit = text.read(node, reading) else { return nil }
            guard unit.unicodeScalars.allSatisfy({ ("!"..."~").contains($0) }) else {
                reading.report(
                    .unknownWord, "'\(unit.prefix(40))' is no unit in UCUM", at: node.range,
                    help: "write it without blanks and special characters, such as mmol/L, uS, Cel, m/s2 or 1"
                )
                return nil
            }
            return unit
        }
    }
}
