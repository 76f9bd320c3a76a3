import StudyModel
import TextFormat

/// Sources that move the mark of a rating.
extension SourceKind {
    /// An input device of Linux with axes.
    static let joystick = SourceKind(
        variant: .init(
            word: "joystick", description: "a joystick that moves the mark of a rating",
            fields: .of(stick, axes.horizontal, axes.vertical)
        ) { fields in
            let (path, horizontal, vertical) = (fields[stick], fields[axes.horizontal], fields[axes.vertical])
            return path.map {
                .control(ControlDevice(.joystick, at: $0, horizontal: horizontal, vertical: vertical))
            }
        },
        spellings: [
            Spelling(
                word: "joystick", form: "joystick:/dev/input/eventN[@AXES]",
                meaning: "a joystick that moves the mark of a rating",
                examples: ["joystick:/dev/input/event5", "joystick:/dev/input/event5@z"],
                sample: .control(ControlDevice(.joystick, at: "/dev/input/event0"))
            ) { text throws(SourceSpecProblem) in
                try .control(ControlDevice(.joystick, spec: text, number: ControlDevice.axis))
            }
        ])

    /// A device whose controllers send control changes.
    static let midi = SourceKind(
        variant: .init(
            word: "midi", description: "a MIDI controller that moves the mark of a rating",
            fields: .of(instrument, channel, controllers.horizontal, controllers.vertical)
        ) { fields in
            let (path, channel) = (fields[instrument], fields[channel])
            let (horizontal, vertical) = (fields[controllers.horizontal], fields[controllers.vertical])
            guard let path else { return nil }
            var device = ControlDevice(.midi, at: path, horizontal: horizontal, vertical: vertical)
            device.channel = channel
            return .control(device)
        },
        spellings: [
            Spelling(
                word: "midi", form: "midi:/dev/snd/midiCND0[@CONTROLLERS]",
                meaning: "a MIDI controller that moves the mark of a rating",
                examples: ["midi:/dev/snd/midiC1D0", "midi:/dev/snd/midiC1D0@7,8"],
                sample: .control(ControlDevice(.midi, at: "/dev/snd/midiC0D0"))
            ) { text throws(SourceSpecProblem) in
                try .control(
                    ControlDevice(.midi, spec: text) { number in
                        Int(number).flatMap { (0...127).contains($0) ? $0 : nil }
                    })
            }
        ])

    private static let stick = Field(
        "device", .devicePath, isRequired: true, "Device",
        "The joystick, as 'entrain sources' lists it.", example: "/dev/input/event5")
    private static let instrument = Field(
        "device", .devicePath, isRequired: true, "Device",
        "The MIDI device, as 'entrain sources' lists it.", example: "/dev/snd/midiC1D0")
    private static let channel = Field(
        "channel", .integer(1...16), "Channel", "The channel that counts; without it, all of them.",
        example: 1)
    private static let axes = AxisShape(of: .joystick)
    private static let controllers = AxisShape(of: .midi)
}

/// The keys of a device's two axes.
private struct AxisShape {
    let horizontal: Field<ControlDevice.Axis>
    let vertical: Field<ControlDevice.Axis>

    init(of kind: ControlDevice.Kind) {
        let shape = Self.shape(of: kind)
        let (noun, usual): (String, ControlDevice) =
            kind == .joystick
            ? ("axis", ControlDevice(.joystick, at: "")) : ("controller", ControlDevice(.midi, at: ""))
        let example: JSON = kind == .joystick ? ["axis": "x"] : ["controller": 7]
        let name = { (axis: ControlDevice.Axis) in
            kind == .joystick ? ControlDevice.axisNames[axis.number] : "\(axis.number)"
        }
        horizontal = Field(
            "horizontal", .mapping(shape), "Horizontal",
            "The \(noun) that moves the mark from left to right; by default \(name(usual.horizontal)).",
            example: example)
        vertical = Field(
            "vertical", .mapping(shape), "Vertical",
            "The \(noun) that moves the mark from bottom to top; by default \(name(usual.vertical))\(usual.vertical.isInverted ? ", inverted" : "").",
            example: example)
    }

    private static func shape(of kind: ControlDevice.Kind) -> Shape<ControlDevice.Axis> {
        let number = kind == .joystick ? axis : controller
        return Shape(
            name: "\(kind.rawValue)Axis", title: "Axis", description: "What moves the mark in one direction.",
            fields: .of(number, range, invert)
        ) { fields in
            let (number, range, inverted) = (fields[number], fields[range], fields[invert])
            let (low, high) = (range?.first ?? 0, range?.last ?? 1)
            if let range, range.count != 2 || low >= high {
                fields.reading.report(
                    .outOfRange, "a range has a lowest and a highest value", at: fields.place(of: Self.range),
                    help: "write two whole numbers, the lower one first, such as [0, 127]")
                return nil
            }
            return number.map {
                ControlDevice.Axis($0, range: range == nil ? nil : low...high, isInverted: inverted ?? false)
            }
        }
    }

    private static let axis = Field(
        "axis", Kind<Int>.axis, isRequired: true, "Axis",
        "The axis, or its number in Linux.",
        example: "x")
    private static let controller = Field(
        "controller", .integer(0...127), isRequired: true, "Controller", "The controller's number.",
        example: 7)
    private static let range = Field(
        "range", .list(Kind<Int>.integer(-2_147_483_648...2_147_483_647), atLeast: 2, noun: "number"),
        "Range",
        "The values at both ends; by default those that the joystick states, or 0 and 127.",
        example: [0, 127])
    private static let invert = Field(
        "invert", .boolean, usual: false, "Invert",
        "Whether the highest value stands for the lower end of the scale.", example: true)
}

extension Kind<Int> {
    /// The name of a joystick's axis, or its number.
    fileprivate static var axis: Kind {
        let names = ControlDevice.axisNames
        return Kind(["anyOf": [["enum": .texts(names)], ["type": "integer", "minimum": 0, "maximum": 63]]]) {
            node, reading in
            if let number = node.scalarText.flatMap(ControlDevice.axis) { return number }
            reading.report(
                .unknownWord, "\(node.quotedText) is no axis of a joystick", at: node.range,
                help: "write \(listed(names, last: "or")), or a number from 0 to 63")
            return nil
        }.orValue
    }
}

extension ControlDevice {
    /// An axis of a joystick by its name or number.
    fileprivate static func axis(_ text: String) -> Int? {
        axisNames.firstIndex(of: text) ?? Int(text).flatMap { (0...63).contains($0) ? $0 : nil }
    }

    /// Reads `DEVICE`, `DEVICE@ACROSS` or `DEVICE@ACROSS,UPWARDS`.
    fileprivate init(
        _ kind: Kind, spec text: String, number: (String) -> Int?
    ) throws(SourceSpecProblem) {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        guard let path = parts.first, !path.isEmpty else {
            throw SourceSpecProblem(
                description:
                    "'\(kind.rawValue)' needs a device: see 'entrain sources' for those of this machine")
        }
        self.init(kind, at: path)
        guard parts.count > 1 else { return }
        let numbers = parts[1].split(separator: ",", omittingEmptySubsequences: false).map {
            number(String($0))
        }
        guard (1...2).contains(numbers.count), let first = numbers[0], let last = numbers[numbers.count - 1]
        else {
            throw SourceSpecProblem(
                description: kind == .joystick
                    ? "after '@' come one axis or two, such as '@x' or '@x,y'"
                    : "after '@' come one controller or two from 0 to 127, such as '@7' or '@7,8'")
        }
        horizontal.number = first
        if numbers.count > 1 { vertical.number = last }
    }
}
