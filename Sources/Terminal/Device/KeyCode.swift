/// A key as the keyboard protocol of kitty reports it: `code:shifted:base ; modifiers:event ; text`.
///
/// https://sw.kovidgoyal.net/kitty/keyboard-protocol/
struct KeyCode: Hashable, Sendable {
    private let code: Unicode.Scalar
    private let shifted: Unicode.Scalar?
    /// The key at the same place of an English keyboard.
    private let base: Unicode.Scalar?
    private let modifiers: Int
    private let text: String

    /// - Parameter fields: what stands between semicolons, split at colons.
    /// - Returns: `nil` if it is no such report.
    init?(_ fields: [[Substring]]) {
        func scalar(_ text: Substring?) -> Unicode.Scalar? {
            text.flatMap { UInt32($0) }.flatMap(Unicode.Scalar.init)
        }
        guard let keys = fields.first, let code = scalar(keys.first) else { return nil }
        self.code = code
        shifted = keys.count > 1 ? scalar(keys[1]) : nil
        base = keys.count > 2 ? scalar(keys[2]) : nil
        modifiers = fields.count > 1 ? max(0, (fields[1].first.flatMap { Int($0) } ?? 1) - 1) : 0
        let typed = fields.count > 2 ? fields[2].compactMap { scalar($0) } : []
        text = String(String.UnicodeScalarView(typed.filter { !$0.isControl }))
    }

    private var hasShift: Bool { modifiers & 1 != 0 }
    private var hasAlt: Bool { modifiers & 2 != 0 }
    private var hasControl: Bool { modifiers & 4 != 0 }

    /// What the key does; `nil` for those that do nothing by themselves.
    var key: Key? {
        if hasControl, let letter = letter { return Self.control(letter) }
        if let named = Self.named[code.value] { return named == .tab && hasShift ? .backTab : named }
        if text.count == 1, let character = text.first { return .character(character) }
        if !text.isEmpty { return .paste(text) }
        // Keys without text: those that only modify others, and of terminals that report no text.
        guard !(0xE000...0xF8FF).contains(code.value), !code.isControl, code.value > 0x1F else { return nil }
        if hasAlt { return .alt(Character(code)) }
        let written = hasShift ? shifted.map { String($0) } ?? String(code).uppercased() : String(code)
        return written.first.map { .character($0) }
    }

    private var letter: Character? {
        [code, base].compactMap(\.self).first { "a"..."z" ~= $0 || $0 == "[" }.map(Character.init)
    }

    /// As terminals have always sent these.
    private static func control(_ letter: Character) -> Key {
        switch letter {
        case "i": .tab
        case "m", "j": .return
        case "h": .backspace
        case "[": .escape
        case _: .control(letter)
        }
    }

    private static let named: [UInt32: Key] = [
        9: .tab, 13: .return, 27: .escape, 127: .backspace, 57_414: .return, 57_417: .left, 57_418: .right,
        57_419: .up, 57_420: .down, 57_421: .pageUp, 57_422: .pageDown, 57_423: .home, 57_424: .end,
        57_426: .delete,
    ]
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control }
}
