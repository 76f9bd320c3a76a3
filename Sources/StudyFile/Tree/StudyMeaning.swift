import TextFormat

/// What a study says, regardless of notation.
///
/// Comments, blank lines, indentation, quotes and brackets, anchors, and keys `comment` for authors make no
/// difference. Everything else does: keys and values, their order, and whether a value is a number or a text. Other
/// YAML files that the study uses are treated in the same way; all other files count byte for byte.
package struct StudyMeaning: Hashable, Sendable {
    /// One line for each value, in the order of the files. The digest is made from these lines.
    package private(set) var lines: [String] = []
    /// The values, by the names that people use for their places.
    private var values: [String: String] = [:]
    /// The place of each value, in the order of the files.
    private var places: [String] = []

    /// The lines with their line feeds, in UTF-8.
    package var bytes: [UInt8] { Array(lines.map { $0 + "\n" }.joined().utf8) }

    /// - Parameters:
    ///   - study: the study file's text.
    ///   - files: the texts of the other files, by path relative to the study file; without its registration.
    package init(of study: String, files: [String: String]) {
        add(study, path: "", named: "")
        for (path, text) in files.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            if path.hasSuffix(".yaml") || path.hasSuffix(".yml") {
                add(text, path: path, named: "\(path): ")
            } else {
                add(.scalar(text, .block), at: Self.quoted(path), named: path)
            }
        }
    }

    /// The differences from another study: first in the order of this one, then what this one lacks.
    package func differences(from other: StudyMeaning) -> [Difference] {
        var found: [Difference] = []
        for place in places where other.values[place] != values[place] {
            found.append(Difference(place: place, new: values[place], old: other.values[place]))
        }
        for place in other.places where values[place] == nil {
            found.append(Difference(place: place, new: nil, old: other.values[place]))
        }
        if found.isEmpty, lines != other.lines {
            let line = zip(lines, other.lines).first { $0 != $1 }?.0 ?? ""
            found.append(Difference(place: "the order of keys or items, at \(line.prefix(80))"))
        }
        return found
    }

    /// A value that has changed, or that only one study has.
    package struct Difference: Hashable, Sendable, CustomStringConvertible {
        /// Such as `tasks.MusicTask.steps.listen.duration`.
        package var place: String
        /// The value now; `nil` if there is none.
        package var new: String?
        /// The value before; `nil` if there was none.
        package var old: String?

        /// Such as `tasks.MusicTask.steps.listen.duration is 90 s, was 60 s`.
        package var description: String {
            switch (new.map(Self.shortened), old.map(Self.shortened)) {
            case (let new?, let old?): "\(place) is \(new), was \(old)"
            case (let new?, nil): "\(place) is new: \(new)"
            case (nil, let old?): "\(place) is gone; it was \(old)"
            case (nil, nil): place
            }
        }

        private static func shortened(_ text: String) -> String {
            text.count > 60 ? text.prefix(57) + "…" : text
        }
    }

    private mutating func add(_ text: String, path: String, named name: String) {
        let source = SourceText(text, file: path)
        let head = path.isEmpty ? "" : Self.quoted(path)
        // A file that is not YAML counts as plain text.
        guard let root = TreeBuilder(text, source).root else {
            add(.scalar(text, .block), at: head, named: name)
            return
        }
        add(root.content, at: head, named: name)
    }

    /// - Parameters:
    ///   - path: keys and places in lists, joined by `/` as in a JSON pointer (RFC 6901).
    ///   - name: the name that people use for the place.
    private mutating func add(_ content: Node.Content, at path: String, named name: String) {
        switch content {
        case .scalar(let text, let style):
            let isPlain: Bool = if case .plain = style { true } else { false }
            lines.append("\(path) = \(isPlain && OtherReaders.isNoText(text) ? text : Self.quoted(text))")
            addValue(text, at: name)
        case .sequence(let items):
            lines.append("\(path) [\(items.count)]")
            if items.isEmpty { addValue("[]", at: name) }
            for (index, item) in items.enumerated() {
                add(
                    item.content, at: "\(path)/\(index)",
                    named: Self.joined(name, item.ownName ?? "\(index + 1)"))
            }
        case .mapping(let pairs):
            let pairs = pairs.filter { !Self.isForAuthors($0, at: path) }
            lines.append("\(path) {\(pairs.count)}")
            if pairs.isEmpty { addValue("{}", at: name) }
            for pair in pairs {
                let key = pair.key.value
                add(
                    pair.value.content, at: "\(path)/\(Self.escaped(key))", named: Self.joined(name, key))
            }
        }
    }

    /// If two values have the same name, both are kept, so that none hides the other.
    private mutating func addValue(_ value: String, at name: String) {
        if let known = values[name] {
            values[name] = "\(known), \(value)"
        } else {
            values[name] = value
            places.append(name)
        }
    }

    /// Where keys are names that the study gives, `comment` is a name too. A registration does not register itself.
    private static func isForAuthors(_ pair: Node.Pair, at path: String) -> Bool {
        if path == "/study", pair.key.value == "registration" { return true }
        guard pair.key.value == "comment", pair.value.scalarText != nil else { return false }
        return !["/arms/", "/conditions/", "/clips/", "/pool/"].contains { "\(path)/".contains($0) }
    }

    private static func joined(_ name: String, _ part: String) -> String {
        name.isEmpty || name.hasSuffix(": ") ? name + part : "\(name).\(part)"
    }

    private static func escaped(_ key: String) -> String {
        // Quotes are added if the key could be confused with the line's own signs.
        let pointer = key.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined()
        return quoted(pointer).dropFirst().dropLast() == pointer && !pointer.contains(" ")
            ? pointer : quoted(pointer)
    }

    private static func quoted(_ text: String) -> String { JSON.text(text).document() }
}

extension Node {
    /// The name of a list item.
    fileprivate var ownName: String? {
        guard case .mapping(let pairs) = content else { return nil }
        return pairs.first { $0.key.value == "identifier" }?.value.scalarText
    }
}
