import TextFormat

/// Turns the bytes that a terminal sends into keys, however the bytes are spread over reads.
package struct KeyDecoder: Sendable {
    private var pending: [UInt8] = []
    private var pasted: [UInt8]?

    /// How many bytes of a paste are kept; the rest is dropped.
    private static let longestPaste = 65_536
    /// After this many bytes, an escape sequence without an end is given up.
    private static let longestSequence = 32
    private static let endOfPaste = Array("\u{1B}[201~".utf8)

    package init() {}

    /// How long to wait for the rest of an incomplete key, milliseconds; `nil` if none is incomplete. Only Escape is a key
    /// by itself.
    package var patience: Int32? {
        if pending.isEmpty, pasted == nil { return nil }
        return pasted == nil && pending.first == 0x1B ? 50 : 1_000
    }

    /// Takes bytes as read, and returns the keys that are complete.
    package mutating func decode(_ bytes: [UInt8]) -> [Keystroke] {
        pending += bytes
        var keys: [Keystroke] = []
        while !pending.isEmpty {
            if pasted != nil {
                guard let text = continuePaste() else { break }
                keys.append(Keystroke(.paste(text)))
                continue
            }
            guard let (key, length) = Self.first(of: pending[...]) else { break }
            pending.removeFirst(length)
            if key == .pasteBegins { pasted = [] }
            switch key {
            case .key(let key): keys.append(Keystroke(key))
            case .repetition(let key): keys.append(Keystroke(key, isRepetition: true))
            case .pasteBegins, .nothing: break
            }
        }
        return keys
    }

    /// Nothing more came in time. A lone escape character is the Escape key, and an incomplete character is
    /// dropped.
    package mutating func giveUp() -> [Keystroke] {
        defer { pending = [] }
        if let pasted {
            self.pasted = nil
            return [Keystroke(.paste(Self.text(pasted + pending)))]
        }
        guard pending.first == 0x1B else { return [] }
        let rest = Array(pending.dropFirst())
        pending = []
        let isOpening = rest.first == UInt8(ascii: "]") || rest == [UInt8(ascii: "[")]
        return [Keystroke(.escape)] + (rest.isEmpty || isOpening ? [] : decode(rest))
    }

    private enum Found: Hashable {
        case key(Key)
        /// A key that is held down came again.
        case repetition(Key)
        case pasteBegins
        case nothing
    }

    private mutating func continuePaste() -> String? {
        guard let end = Self.index(of: Self.endOfPaste, in: pending) else {
            // The end mark may be incomplete, so its beginning is kept.
            let kept = min(pending.count, Self.endOfPaste.count - 1)
            appendToPaste(pending.prefix(pending.count - kept))
            pending = Array(pending.suffix(kept))
            return nil
        }
        appendToPaste(pending.prefix(end))
        pending.removeFirst(end + Self.endOfPaste.count)
        defer { pasted = nil }
        return pasted.map(Self.text)
    }

    private mutating func appendToPaste(_ bytes: ArraySlice<UInt8>) {
        guard let room = pasted.map({ Self.longestPaste - $0.count }) else { return }
        pasted?.append(contentsOf: bytes.prefix(max(0, room)))
    }

    /// A line ends with a line feed, however the terminal sent it.
    private static func text(_ bytes: [UInt8]) -> String {
        var text = String.UnicodeScalarView()
        let written = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
        for scalar in written.unicodeScalars {
            if scalar == "\n" || scalar == "\r" {
                text.append("\n")
            } else if scalar == "\t" {
                text.append(" ")
            } else if !scalar.isUnsafeOnTerminals {
                text.append(scalar)
            }
        }
        return String(text)
    }

    private static func index(of mark: [UInt8], in bytes: [UInt8]) -> Int? {
        guard bytes.count >= mark.count else { return nil }
        return (0...(bytes.count - mark.count)).first { bytes[$0...].starts(with: mark) }
    }

    /// The first key and the number of its bytes; `nil` if more bytes are needed.
    private static func first(of bytes: ArraySlice<UInt8>) -> (Found, Int)? {
        guard let byte = bytes.first else { return nil }
        switch byte {
        case 0x1B: return escapeSequence(bytes)
        case 0x0D, 0x0A: return (.key(.return), 1)
        case 0x09: return (.key(.tab), 1)
        case 0x08, 0x7F: return (.key(.backspace), 1)
        case 0x01...0x1A:
            return (.key(.control(Character(UnicodeScalar(byte + UInt8(ascii: "a") - 1)))), 1)
        case 0x20...0x7E: return (.key(.character(Character(UnicodeScalar(byte)))), 1)
        case 0xC2...0xF4: return multibyte(bytes, length: byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4)
        default: return (.nothing, 1)
        }
    }

    private static func multibyte(_ bytes: ArraySlice<UInt8>, length: Int) -> (Found, Int)? {
        let tail = bytes.dropFirst().prefix(length - 1)
        if let wrong = tail.firstIndex(where: { $0 & 0xC0 != 0x80 }) {
            return (.nothing, wrong - bytes.startIndex)
        }
        guard tail.count == length - 1 else { return nil }
        guard let text = String(validating: bytes.prefix(length), as: UTF8.self),
            let scalar = text.unicodeScalars.first, !scalar.isUnsafeOnTerminals
        else { return (.nothing, length) }
        return (.key(.character(Character(scalar))), length)
    }

    private static func escapeSequence(_ bytes: ArraySlice<UInt8>) -> (Found, Int)? {
        let rest = bytes.dropFirst()
        switch rest.first {
        case nil: return nil
        case UInt8(ascii: "["): return controlSequence(rest.dropFirst())
        case UInt8(ascii: "]"): return operatingSystemCommand(rest.dropFirst())
        case UInt8(ascii: "O"):
            guard let letter = rest.dropFirst().first else { return nil }
            return (named("", letter), 3)
        case .some(let byte) where (0x20...0x7E).contains(byte):
            return (.key(.alt(Character(UnicodeScalar(byte)))), 2)
        default: return (.key(.escape), 1)
        }
    }

    private static func controlSequence(_ bytes: ArraySlice<UInt8>) -> (Found, Int)? {
        guard let end = bytes.firstIndex(where: { !(0x20...0x3F).contains($0) }) else {
            return bytes.count > longestSequence ? (.nothing, bytes.count + 2) : nil
        }
        let parameters = String(decoding: bytes[..<end], as: UTF8.self)
        guard (0x40...0x7E).contains(bytes[end]) else { return (.nothing, end - bytes.startIndex + 2) }
        return (named(parameters, bytes[end]), end - bytes.startIndex + 3)
    }

    /// An answer that nobody waits for any more.
    private static func operatingSystemCommand(_ bytes: ArraySlice<UInt8>) -> (Found, Int)? {
        guard let end = bytes.firstIndex(where: { $0 < 0x20 }) else {
            return bytes.count > longestSequence ? (.nothing, bytes.count + 2) : nil
        }
        guard bytes[end] != 0x1B || end + 1 < bytes.endIndex else { return nil }
        let hasTerminator = bytes[end] == 0x1B && bytes[end + 1] == UInt8(ascii: "\\")
        return (.nothing, end - bytes.startIndex + (bytes[end] == 7 ? 3 : hasTerminator ? 4 : 2))
    }

    /// `<button;column;row`: the left button, pressed or dragged, or the wheel.
    private static func pointer(_ parameters: String, _ final: UInt8) -> Found {
        let numbers = parameters.dropFirst().split(separator: ";").map { Int($0) }
        guard final == UInt8(ascii: "M"), numbers.count == 3, let button = numbers[0],
            let column = numbers[1], let row = numbers[2], column > 0, row > 0
        else { return .nothing }
        let key = Key.pointer(column: column - 1, row: row - 1)
        return switch button {
        case 0: .key(key)
        case 32: .repetition(key)
        case 64: .key(.wheel(-3))
        case 65: .key(.wheel(3))
        default: .nothing
        }
    }

    private static func named(_ parameters: String, _ final: UInt8) -> Found {
        if parameters.hasPrefix("<") { return pointer(parameters, final) }
        let fields = parameters.split(separator: ";", omittingEmptySubsequences: false)
            .map { $0.split(separator: ":", omittingEmptySubsequences: false) }
        let event = fields.count > 1 && fields[1].count > 1 ? fields[1][1] : "1"
        guard event != "3" else { return .nothing }
        let found =
            final == UInt8(ascii: "u")
            ? KeyCode(fields)?.key.map { .key($0) } ?? .nothing : name(parameters, final)
        guard event == "2", case .key(let key) = found else { return found }
        return .repetition(key)
    }

    private static func name(_ parameters: String, _ final: UInt8) -> Found {
        switch (final, parameters.split(separator: ";").first) {
        case (UInt8(ascii: "A"), _): .key(.up)
        case (UInt8(ascii: "B"), _): .key(.down)
        case (UInt8(ascii: "C"), _): .key(.right)
        case (UInt8(ascii: "D"), _): .key(.left)
        case (UInt8(ascii: "H"), _), (UInt8(ascii: "~"), "1"), (UInt8(ascii: "~"), "7"): .key(.home)
        case (UInt8(ascii: "F"), _), (UInt8(ascii: "~"), "4"), (UInt8(ascii: "~"), "8"): .key(.end)
        case (UInt8(ascii: "Z"), _): .key(.backTab)
        case (UInt8(ascii: "M"), _): .key(.return)
        case (UInt8(ascii: "~"), "3"): .key(.delete)
        case (UInt8(ascii: "~"), "5"): .key(.pageUp)
        case (UInt8(ascii: "~"), "6"): .key(.pageDown)
        case (UInt8(ascii: "~"), "200"): .pasteBegins
        case (_, _): .nothing
        }
    }
}
