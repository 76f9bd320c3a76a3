import StudyModel

/// Recordings in XML, streamed by the expat parser.
///
/// The document type declaration is ignored, because iPhones sometimes write broken ones, and because entities that
/// it could declare must not be expanded.
enum XMLRecording {
    /// The forms that are understood.
    enum Form {
        case appleHealth, tcx, gpx

        /// - Parameter beginning: the first bytes of the file, with the start of the first element.
        /// - Returns: `nil` for anything else.
        init?(_ beginning: ArraySlice<UInt8>) {
            guard let first = beginning.first(where: { !$0.isBlankOrMark }),
                first == UInt8(ascii: "<")
            else { return nil }
            let text = String(decoding: beginning.map { $0 < 0x80 ? $0 : 0x3F }, as: UTF8.self)
            if text.contains("<HealthData") || text.contains("<!DOCTYPE HealthData") {
                self = .appleHealth
            } else if text.contains("<TrainingCenterDatabase") || text.contains(":TrainingCenterDatabase") {
                self = .tcx
            } else if text.contains("<gpx") || text.contains(":gpx") {
                self = .gpx
            } else {
                return nil
            }
        }

        var name: String {
            switch self {
            case .appleHealth: "an Apple Health export"
            case .tcx: "a TCX file"
            case .gpx: "a GPX file"
            }
        }
    }

    private static let blockSize = 1 << 18
    /// The document type declaration is looked for in this many bytes.
    private static let prologueSize = 1 << 18

    /// Passes every reading to `sink`, in the file's order, and returns how the file was understood.
    static func read(
        _ input: inout RecordedInput, as form: Form, into sink: (RecordedReading) -> Void
    ) throws(SourceFailure) -> HeartRateRecording.Reading {
        let content = XMLContent(form)
        var block: [UInt8] = []
        try input.read(into: &block, atMost: prologueSize)
        moveDeclarationToStart(in: &block)
        let parser = try XMLParser(content, of: input)
        blankTypeDeclaration(in: &block)
        var damage: String?
        var blanked = 0
        while damage == nil {
            // What may be a part of a reference waits for the rest of it.
            let whole = block.suffix(longestReference).lastIndex(of: UInt8(ascii: "&")) ?? block.count
            var rest = Array(block[whole...])
            if rest.contains(UInt8(ascii: ";")) || whole == 0 {
                (block, rest) = (block, [])
            } else {
                block.removeLast(rest.count)
            }
            blanked += blankControls(in: &block)
            damage = parser.parse(block)
            for reading in content.readings { sink(reading) }
            content.readings.removeAll(keepingCapacity: true)
            if block.isEmpty { break }
            try input.read(into: &block, atMost: blockSize)
            block = rest + block
        }
        let words = blanked > 0 ? ["\(blanked) characters that XML forbids read as spaces"] : []
        return try naming(input.name) { () throws(RecordingProblem) in
            let count = content.tally.readingCount
            if count == 0, let damage { throw RecordingProblem(damage) }
            return try content.tally.reading(
                [form.name, "times of the calendar"] + words, isDated: true,
                damage: damage.map { $0 + ": \(count) readings come before that" })
        }
    }

    /// Bytes of the longest reference to a control character: `&#x0001F;`.
    private static let longestReference = 9

    /// Overwrites the control characters that XML forbids, themselves and references to them, with spaces: names of devices
    /// may hold them.
    ///
    /// - Returns: how many there were.
    private static func blankControls(in bytes: inout [UInt8]) -> Int {
        func isForbidden(_ value: UInt32) -> Bool { value < 0x20 && ![9, 10, 13].contains(value) }
        var count = 0
        for index in bytes.indices {
            if bytes[index] < 0x20, isForbidden(UInt32(bytes[index])) {
                bytes[index] = 0x20
                count += 1
            } else if bytes[index] == UInt8(ascii: "&"), index + 1 < bytes.count,
                bytes[index + 1] == UInt8(ascii: "#"),
                let end = bytes[index...].prefix(longestReference).firstIndex(of: UInt8(ascii: ";"))
            {
                let digits = String(decoding: bytes[(index + 2)..<end], as: UTF8.self)
                let value = digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
                guard let value, isForbidden(value) else { continue }
                for place in index...end { bytes[place] = 0x20 }
                count += 1
            }
        }
        return count
    }

    /// Moves `<?xml … ?>` to the very start, as XML requires: some apps write spaces and line feeds before it.
    private static func moveDeclarationToStart(in bytes: inout [UInt8]) {
        let space = bytes.prefix { $0.isBlankOrMark }
        guard space.contains(where: { $0 <= 0x20 }), bytes[space.endIndex...].starts(with: "<?xml".utf8),
            let end = bytes.firstRange(of: Array("?>".utf8))?.upperBound
        else { return }
        bytes = bytes[space.endIndex..<end] + space.filter { $0 <= 0x20 } + bytes[end...]
    }

    /// Overwrites `<!DOCTYPE … [ … ]>` with spaces, apart from line feeds.
    private static func blankTypeDeclaration(in bytes: inout [UInt8]) {
        guard let start = bytes.firstRange(of: Array("<!DOCTYPE".utf8))?.lowerBound else { return }
        let rest = bytes[start...]
        guard let close = rest.firstIndex(of: UInt8(ascii: ">")) else { return }
        var end = close
        if let open = rest.firstIndex(of: UInt8(ascii: "[")), open < close,
            let last = rest.firstRange(of: Array("]>".utf8))
        {
            end = last.upperBound - 1
        }
        for index in start...end where bytes[index] != 0x0A { bytes[index] = 0x20 }
    }
}
