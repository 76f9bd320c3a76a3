/// Collects the parts of a file that other programs would read differently: PyYAML, and readers of YAML 1.2.
///
/// Readers of YAML 1.2 are stricter than libyaml about lines that continue too far to the left, and PyYAML accepts no
/// tab between values. It also refuses a `?` in a plain text within brackets; that says nothing about the study.
struct Portability {
    private(set) var warnings: [Diagnostic] = []
    private let source: SourceText
    /// The places of texts in quotes and in blocks, in order.
    private var texts: [Range<Int>] = []

    init(_ source: SourceText) { self.source = source }

    /// - Parameter block: where the surrounding block-style list or group begins; `nil` if there is none, or if
    ///   brackets are in between.
    mutating func check(
        scalar text: String, _ style: Node.Style, at place: Range<Int>, in block: Int?
    ) {
        switch style {
        case .block: texts.append(place)
        case .quoted:
            texts.append(place)
            check(lines: place, in: block)
        case .plain:
            if let (older, newer, help) = OtherReaders.difference(on: text) {
                warn(
                    "other programs read '\(text.prefix(40))' as \(older) (YAML 1.1, such as PyYAML) or as \(newer) "
                        + "(YAML 1.2)", place, help: help)
            }
        }
    }

    /// Checks a value that may continue over several lines.
    mutating func check(lines place: Range<Int>, in block: Int?) {
        guard let block else { return }
        let (first, last) = (source.place(at: place.lowerBound).line, source.place(at: place.upperBound).line)
        guard first < last else { return }
        let column = source.place(at: block).column
        for line in (first + 1)...last {
            let ink = source.firstInk(ofLine: line)
            guard ink < source.positions(ofLine: line).upperBound, source.scalars[ink] != "#",
                source.place(at: ink).column <= column
            else { continue }
            warn(
                "YAML 1.2 requires this line to be indented deeper than the value that it continues",
                ink..<(ink + 1),
                help: Help("indent it by \(column + 1) spaces or more", edits: [indent(line, by: column + 1)])
            )
            return
        }
    }

    /// Warns of tabs between values, and of line breaks that only YAML 1.1 knows. The file must have been read to its end.
    mutating func checkCharacters() {
        var line = 0
        for (position, scalar) in source.scalars.enumerated() {
            switch scalar.value {
            case 0x09:
                let place = source.place(at: position)
                guard place.line > line, !isText(position), !isComment(position) else { continue }
                line = place.line
                warn(
                    "PyYAML cannot read a tab between values", position..<(position + 1),
                    help: .write("  ", "write spaces instead of the tab"))
            case 0x85, 0x2028, 0x2029:
                warn(
                    "\(ControlCharacter.name(of: scalar)) ends a line in YAML 1.1, but not in YAML 1.2",
                    position..<(position + 1), help: "leave it out, or write a line break")
            default: continue
            }
        }
    }

    private func isText(_ position: Int) -> Bool {
        var (low, high) = (0, texts.count)
        while low < high {
            let middle = (low + high) / 2
            if texts[middle].upperBound <= position { low = middle + 1 } else { high = middle }
        }
        return low < texts.count && texts[low].contains(position)
    }

    private func isComment(_ position: Int) -> Bool {
        let start = source.positions(ofLine: source.place(at: position).line).lowerBound
        return (start..<position).contains { place in
            source.scalars[place] == "#" && !isText(place)
                && (place == start || " \t".unicodeScalars.contains(source.scalars[place - 1]))
        }
    }

    private func indent(_ line: Int, by spaces: Int) -> TextEdit {
        let start = source.positions(ofLine: line).lowerBound
        return TextEdit(
            range: source.range(from: start, to: source.firstInk(ofLine: line)),
            text: String(repeating: " ", count: spaces))
    }

    private mutating func warn(_ message: String, _ place: Range<Int>, help: Help) {
        add(message, source.range(from: place.lowerBound, to: place.upperBound), help: help)
    }

    private mutating func add(_ message: String, _ range: SourceRange, help: Help) {
        warnings.append(source.diagnostic(.otherReaders, message, at: range, help: help, severity: .warning))
    }
}
