import StudyModel

/// The path of a file within a bundle. Such a path never leads out of the bundle.
///
/// Names joined by `/`, each 1 to 255 characters out of `A-Z a-z 0-9 . _ -` and neither `.` nor `..`. So the path
/// is relative, has no empty name, and contains nothing with a special meaning for a terminal, a shell or a page.
public struct BundlePath: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The characters.
    public let text: String

    /// - Returns: `nil` if `text` is not such a path.
    public init?(_ text: String) {
        let names = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isPath = names.allSatisfy { name in
            (1...255).contains(name.count) && !name.elementsEqual(".".utf8) && !name.elementsEqual("..".utf8)
                && name.allSatisfy(Identifier.isAllowed)
        }
        guard isPath, text.utf8.count <= 1024 else { return nil }
        self.text = text
    }

    /// The last of the names.
    public var name: String {
        text.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(text[text.index(after: $0)...]) } ?? text
    }

    public var description: String { text }

    public static func < (left: BundlePath, right: BundlePath) -> Bool { left.text < right.text }
}

extension BundlePath: ExpressibleByStringLiteral {
    /// A path written in the program itself.
    public init(stringLiteral text: String) {
        guard let path = BundlePath(text) else { preconditionFailure("'\(text)' is not a path in a bundle") }
        self = path
    }
}
