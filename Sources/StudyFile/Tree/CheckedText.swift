/// Bytes that were checked to be text, with an allowed size, encoding and characters.
struct CheckedText {
    /// The text without a byte order mark; `nil` if the bytes are not a valid text.
    private(set) var text: String?
    private(set) var source: SourceText
    private(set) var diagnostics: [Diagnostic] = []

    /// - Parameter file: the name that diagnostics show.
    init(_ bytes: [UInt8], file: String) {
        source = SourceText("", file: file)
        let start = SourceRange(start: source.place(at: 0), end: SourcePlace(line: 1, column: 2))
        guard bytes.count <= TreeLimits.size else {
            diagnostics.append(
                source.diagnostic(
                    .fileTooLarge, "the file has more than \(TreeLimits.size / 1024) KiB", at: start,
                    help: "split the study, or leave data out of it"))
            return
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let content = bytes.starts(with: mark) ? bytes[3...] : bytes[...]
        let decoded = String(decoding: content, as: UTF8.self)
        source = SourceText(decoded, file: file)
        let isWide = Self.isUTF16(bytes)
        if isWide || !content.elementsEqual(decoded.utf8),
            let position = isWide ? 0 : Self.firstFault(content)
        {
            diagnostics.append(
                source.diagnostic(
                    .notUTF8, isWide ? "the file is in UTF-16" : "this is not UTF-8",
                    at: source.range(from: position, to: position + 1),
                    help: "save the file as UTF-8"))
            return
        }
        rejectControlCharacters()
        if diagnostics.isEmpty { text = decoded }
    }

    /// Whether the bytes begin with a UTF-16 byte order mark, or with an ASCII character in UTF-16.
    private static func isUTF16(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 1 else { return false }
        return switch (bytes[0], bytes[1]) {
        case (0xFF, 0xFE), (0xFE, 0xFF): true
        case (let high, let low): (high == 0) != (low == 0)
        }
    }

    /// How many characters come before the first byte that is not UTF-8; `nil` if there is none.
    private static func firstFault(_ bytes: ArraySlice<UInt8>) -> Int? {
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var position = 0
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid: position += 1
            case .emptyInput: return nil
            case .error: return position
            }
        }
    }

    private mutating func rejectControlCharacters() {
        for (position, scalar) in source.scalars.enumerated() where Self.isForbidden(scalar) {
            guard diagnostics.count < 20 else { return }
            diagnostics.append(
                source.diagnostic(
                    .controlCharacter,
                    "this is the control character \(ControlCharacter.name(of: scalar))",
                    at: source.range(from: position, to: position + 1), help: "leave it out"))
        }
    }

    /// Characters that libyaml refuses, and control characters that YAML allows but no text of a study may contain.
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0D: false
        case 0xFEFF, 0xFFFE, 0xFFFF: true
        default: ControlCharacter.isForbidden(scalar)
        }
    }
}
