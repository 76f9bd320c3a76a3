/// A target of the package, as `Package.swift` declares it: the one table of what may import what.
struct Room: Sendable {
    let name: String
    /// The modules that it may import: targets and products.
    let dependencies: Set<String>

    /// Every target that holds code, by name.
    static let all: [String: Room] = {
        let text = SourceFile.manifest.code.joined(separator: "\n")
        let rooms = text.split(separator: "arget(").dropFirst().compactMap { Room(declaration: $0) }
        return Dictionary(uniqueKeysWithValues: rooms.map { ($0.name, $0) })
    }()

    /// - Parameter declaration: the text behind `target(`, up to the next one.
    private init?(declaration: Substring) {
        guard let name = Self.quoted(declaration).first else { return nil }
        self.name = name
        guard let list = declaration.firstRange(of: "dependencies: [") else {
            dependencies = []
            return
        }
        let end = Self.end(of: declaration[list.upperBound...])
        let products = declaration[list.upperBound..<end].replacing(/package: "[^"]*"/, with: "")
        dependencies = Set(Self.quoted(products[...]))
    }

    /// Where a list ends whose opening bracket stands before `text`.
    private static func end(of text: Substring) -> Substring.Index {
        var depth = 1
        for index in text.indices {
            if text[index] == "[" { depth += 1 }
            if text[index] == "]" { depth -= 1 }
            if depth == 0 { return index }
        }
        return text.endIndex
    }

    /// What stands between pairs of `mark`.
    static func quoted(_ text: Substring, by mark: Character = "\"") -> [String] {
        text.split(separator: mark, omittingEmptySubsequences: false).enumerated()
            .compactMap { $0.offset.isMultiple(of: 2) ? nil : String($0.element) }
    }
}
