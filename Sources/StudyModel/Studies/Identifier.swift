/// A name that programs use: of a study, a task, a step, a recorder, a clip.
///
/// 1 to 64 characters out of `A-Z a-z 0-9 . _ -`, so that it can stand in file names, in paths joined by `.` or
/// `/`, and in column names without quoting. `.` and `..` are not identifiers, because every folder has these names
/// already.
public struct Identifier: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The characters.
    public let text: String

    /// - Parameter text: the characters.
    /// - Returns: `nil` if `text` is empty, longer than 64 characters, holds any other character, or is `.` or `..`.
    public init?(_ text: String) {
        guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed), text != ".",
            text != ".."
        else { return nil }
        self.text = text
    }

    public var description: String { text }

    public static func < (left: Identifier, right: Identifier) -> Bool { left.text < right.text }

    /// Whether a byte is one of `A-Z a-z 0-9 . _ -`.
    package static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

extension Sequence<Identifier> {
    /// The names of a step and of the blocks around it, as people and files write them: `music.listen`.
    package var dotted: String { map(\.text).joined(separator: ".") }
}

extension Identifier: ExpressibleByStringLiteral {
    /// An identifier written in the program itself.
    public init(stringLiteral text: String) {
        guard let identifier = Identifier(text) else {
            preconditionFailure("'\(text)' is not an identifier")
        }
        self = identifier
    }
}
