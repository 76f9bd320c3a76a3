import StudyFile
import StudyTesting
import Testing
import TextFormat

/// The tables of the page StudyKeys are made of the declarations, of which the JSON Schemas are made, too.
///
/// A table stands below a line such as `<!-- keys: step-active besides step -->`: the keys of the definition
/// `step-active` that `step` does not have. `<!-- types: step -->` is the table of the types of steps.
@Suite struct StudyKeysTests {
    private static let page = "../../../Sources/Documentation/Entrain.docc/StudyKeys.md"

    @Test func `the tables of the page are those of the declarations`() throws {
        let text = try Fixture(path: testFolder + "Golden/" + Self.page).text()
        let difference = try goldenDifference(KeyTables().filled(text), Self.page)
        #expect(difference == nil, "\(difference ?? "")")
    }

    @Test func `the page has every key`() throws {
        let text = try Fixture(path: testFolder + "Golden/" + Self.page).text()
        let tables = try KeyTables()
        let rows = Set(try tables.filled(text).split(separator: "\n"))
        let missing = tables.everyKey.filter { key in
            !rows.contains { $0.hasPrefix("| `\(key.key)` |") && $0.hasSuffix("| \(key.meaning) |") }
        }
        #expect(missing.isEmpty, "\(missing.map { "\($0.owner): \($0.key)" })")
    }
}

/// The tables that two JSON Schemas contain.
private struct KeyTables {
    private var definitions: [String: JSON] = [:]

    init() throws {
        for schema in [StudySchema.text, CatalogueSchema.text] {
            let members = try JSON(parsing: Array(schema.utf8))["definitions"]?.object?.givenMembers ?? []
            for member in members { definitions[member.key] = member.value }
        }
    }

    /// The text with its tables made anew.
    func filled(_ text: String) throws -> String {
        var lines: [Substring] = []
        var isInTable = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if !line.hasPrefix("|") { isInTable = false }
            if !isInTable { lines.append(line) }
            guard line.hasPrefix("<!-- "), line.hasSuffix(" -->") else { continue }
            lines += try table(line.dropFirst(5).dropLast(4)).map { $0[...] }
            isInTable = true
        }
        return lines.joined(separator: "\n")
    }

    /// Every key that some mapping has, with what it means.
    var everyKey: [(owner: String, key: String, meaning: String)] {
        definitions.flatMap { name, definition in
            properties(of: definition).map { (name, $0.key, meaning(of: $0.value)) }
        }
    }

    private func table(_ order: Substring) throws -> [String] {
        let words = order.split(separator: " ").map(String.init)
        guard words[0] == "types:" else {
            let others = try words.dropFirst(3).flatMap { properties(of: try definition($0)).map(\.key) }
            return try keys(of: words[1], besides: others)
        }
        let types = types(of: try definition(words[1])).map { properties(of: $0).map(\.key) }
        let order = try definition(words[1])["properties"]?["type"]?["enum"]?.list ?? []
        return ["| `type` | Meaning | Keys of its own |", "|---|---|---|"]
            + (try order.compactMap(\.text).map { word in
                let type = try definition("\(words[1])-\(word)")
                let own = properties(of: type).filter { own in !types.allSatisfy { $0.contains(own.key) } }
                    .map(key)
                return
                    "| `\(word)` | \(meaning(of: type)) | \(own.isEmpty ? "–" : own.joined(separator: ", ")) |"
            })
    }

    /// `leastTime`, or `duration` with what it is if the key is left out.
    private func key(_ member: JSON.Object.Member) -> String {
        "`\(member.key)`" + (usual(member.value).map { " (\($0))" } ?? "")
    }

    private func keys(of name: String, besides others: [String]) throws -> [String] {
        let definition = try definition(name)
        let required = texts((types(of: definition).first ?? definition)["required"])
        return ["| Key | Kind | Default | Meaning |", "|---|---|---|---|"]
            + properties(of: definition).filter { !others.contains($0.key) }.map { member in
                let usual =
                    required.contains(member.key)
                    ? "required" : usual(member.value) ?? alternative(member.key, in: definition) ?? "–"
                return "| `\(member.key)` | \(kind(member.value)) | \(usual) | \(meaning(of: member.value)) |"
            }
    }

    private func definition(_ name: String) throws -> JSON { try #require(definitions[name], "\(name)") }

    /// The keys of a mapping, without older ones; of one with types, those that all of its types have.
    private func properties(of definition: JSON) -> [JSON.Object.Member] {
        let types = types(of: definition)
        let members =
            types.isEmpty ? definition["properties"]?.object?.givenMembers ?? [] : common(of: types)
        return members.filter { $0.key != "type" && $0.key != "comment" && $0.value["deprecated"] == nil }
    }

    private func types(of definition: JSON) -> [JSON] {
        (definition["allOf"]?.list ?? []).compactMap { $0["then"]?["$ref"]?.text }
            .compactMap { definitions[String($0.dropFirst("#/definitions/".count))] }
    }

    private func common(of types: [JSON]) -> [JSON.Object.Member] {
        let all = types.map { properties(of: $0) }
        return (all.first ?? []).filter { member in all.allSatisfy { $0.contains(member) } }
    }

    private func meaning(of schema: JSON) -> String { schema["description"]?.text ?? "" }

    private func usual(_ property: JSON) -> String? { property["default"].map { "`\(plain($0))`" } }

    /// What a rule says of a key that may be left out if another one is there.
    private func alternative(_ key: String, in definition: JSON) -> String? {
        for rule in definition["allOf"]?.list ?? [] {
            let groups = ((rule["oneOf"] ?? rule["anyOf"])?.list ?? []).map { texts($0["required"]) }
            guard groups.contains([key]), !groups.contains([]) else { continue }
            let others = groups.flatMap { $0 }.filter { $0 != key }.map { "`\($0)`" }
            let isExclusive = rule["oneOf"] != nil
            guard others.count < 3 else { return isExclusive ? "one of these" : "at least one" }
            return isExclusive
                ? "this or \(listed(others))" : "this, \(others.joined(separator: ", ")) or both"
        }
        return nil
    }

    /// The kind of a value in the words of the page.
    private func kind(_ schema: JSON) -> String {
        var kinds: [String] = []
        for kind in self.kinds(schema) where !kinds.contains(kind) { kinds.append(kind) }
        return listed(kinds)
    }

    private func kinds(_ schema: JSON) -> [String] {
        if let words = schema["$comment"]?.text { return [words + members(schema, saidBy: words)] }
        if let name = schema["$ref"]?.text { return [name.hasSuffix("/text") ? "text" : "mapping"] }
        if let only = schema["allOf"]?.list?.first { return kinds(only) }
        if let words = schema["enum"]?.list { return words.map { "`\(plain($0))`" } }
        if let word = schema["const"] { return ["`\(plain(word))`"] }
        if let parts = schema["anyOf"]?.list {
            let today = parts.filter {
                $0["$ref"]?.text != "#/definitions/roundValue" && $0["deprecated"] == nil
            }
            return today.flatMap { part in
                part["items"]?.object == nil ? kinds(part) : [part["$comment"]?.text ?? "list of two"]
            }
        }
        switch schema["type"]?.text {
        case "boolean": return ["yes or no"]
        case "integer": return ["whole number" + range(schema)]
        case "number": return ["number" + range(schema)]
        case "array":
            let items = schema["items"] ?? [:]
            return [
                items.list.map { "[\($0.map(kind).joined(separator: ", "))]" }
                    ?? "list of two: \(kind(items))"
            ]
        case "object": return ["mapping"]
        default: break
        }
        guard let length = schema["maxLength"]?.integer else { return ["single value"] }
        return [length == 10_000 ? "text" : "text of at most \(length) characters"]
    }

    /// What the members of a list are, unless its own words say so, and how many there are at least.
    private func members(_ schema: JSON, saidBy words: String) -> String {
        guard let items = schema["items"] else { return "" }
        let member = kind(items)
        let least = schema["minItems"]?.integer ?? 0
        let isSaid = ["mapping", "identifier", "text"].contains(member) || words.contains(member)
        return (least > 1 ? ", at least \(least)" : "") + (isSaid ? "" : ": \(member)")
    }

    private func range(_ schema: JSON) -> String {
        guard let least = schema["minimum"], let most = schema["maximum"] else { return "" }
        return " from \(plain(least)) to \(plain(most))"
    }

    private func texts(_ list: JSON?) -> [String] { (list?.list ?? []).compactMap(\.text) }

    private func plain(_ value: JSON) -> String {
        switch value {
        case .text(let text): text
        case .integer(let number): "\(number)"
        case .real(let number): plainNumber(number)
        case .boolean(let flag): "\(flag)"
        case .list(let list): "[\(list.map(plain).joined(separator: ", "))]"
        case .null, .object: ""
        }
    }

    private func listed(_ words: [String]) -> String { TextFormat.listed(words, last: "or") }
}
