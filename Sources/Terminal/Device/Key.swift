/// A key as it came from the terminal.
package struct Keystroke: Hashable, Sendable {
    package var key: Key
    /// Whether the terminal said that the key is held down and repeats itself.
    package var isRepetition = false

    package init(_ key: Key, isRepetition: Bool = false) {
        (self.key, self.isRepetition) = (key, isRepetition)
    }
}

/// A key press, or a paste, as the terminal sent it.
package enum Key: Hashable, Sendable {
    /// A printable character; a combining mark is a key of its own.
    case character(Character)
    /// A letter held with Control, in lower case.
    case control(Character)
    /// A character held with Alt.
    case alt(Character)
    /// Text inserted at once, without control characters other than line breaks.
    case paste(String)
    case `return`
    case tab
    case backTab
    case escape
    case backspace
    case delete
    case up
    case down
    case left
    case right
    case home
    case end
    case pageUp
    case pageDown
    /// The pointer was pressed or dragged at a cell, from 0.
    case pointer(column: Int, row: Int)
    /// The wheel was turned by so many rows, down if positive.
    case wheel(Int)

    /// The key for an answer of one line, in which line breaks of pasted text become spaces.
    var onOneLine: Key {
        if case .paste(let text) = self { .paste(String(text.map { $0.isNewline ? " " : $0 })) } else { self }
    }

    var isPointer: Bool { if case .pointer = self { true } else { false } }

    /// The name of the key in the `events` recorder: `a`, `return`, `up`, `control-c`.
    package var name: String {
        switch self {
        case .character(" "): "space"
        case .character(let character): String(character)
        case .control(let letter): "control-\(letter)"
        case .alt(let character): "alt-\(character)"
        case .paste: "paste"
        case .return: "return"
        case .tab: "tab"
        case .backTab: "shift-tab"
        case .escape: "escape"
        case .backspace: "backspace"
        case .delete: "delete"
        case .up: "up"
        case .down: "down"
        case .left: "left"
        case .right: "right"
        case .home: "home"
        case .end: "end"
        case .pageUp: "pageUp"
        case .pageDown: "pageDown"
        case .pointer: "pointer"
        case .wheel: "wheel"
        }
    }
}
