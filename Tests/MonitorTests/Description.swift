import HTTPTypes
import TextFormat

@testable import Monitor

/// The description of the monitor for programs, `/openapi.json`.
struct Description: Sendable {
    static let served = Result { Description(document: try JSON(parsing: PackageResources.openapi_json)) }

    private let document: JSON

    /// The paths, those with fewer places for names first.
    var paths: [JSON.Object.Member] {
        (document["paths"]?.object?.members ?? []).sorted {
            $0.key.count { $0 == "{" } < $1.key.count { $0 == "{" }
        }
    }

    /// What is said of a path, under its name with places for others' names.
    func path(_ path: String) -> JSON.Object.Member? {
        let words = path.prefix { $0 != "?" }.split(separator: "/")
        return paths.first { member in
            let own = member.key.split(separator: "/")
            return own.count == words.count && zip(own, words).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }
    }

    /// How an answer, and a request that was answered with success, differ from what is said of them.
    func faults(
        _ method: HTTPRequest.Method, _ path: String, _ body: [UInt8], _ answer: Browser.Answer
    ) throws -> [String] {
        let method = method == .head ? .get : method
        guard let known = self.path(path), let operation = known.value[method.rawValue.lowercased()] else {
            return []
        }
        let name = "\(method) \(known.key) \(answer.status.code)"
        guard let response = operation["responses"]?["\(answer.status.code)"].map(resolved) else {
            return ["\(name) is not described: \(answer.text.prefix(200))"]
        }
        var faults: [String] = []
        if answer.headers[.contentType]?.hasPrefix("application/json") == true, !answer.body.isEmpty {
            let schema = response["content"]?["application/json"]?["schema"]
            faults += try self.faults(answer.json, schema ?? false, at: name)
        }
        let schema = operation["requestBody"]?["content"]?["application/json"]?["schema"]
        if answer.status.kind == .successful, let schema, !body.isEmpty {
            faults += self.faults(try JSON(parsing: body), schema, at: "\(name), the request")
        }
        return faults
    }

    /// How a value differs from a schema. What an object has must be named in its schema.
    func faults(_ value: JSON, _ schema: JSON, at place: String = "it") -> [String] {
        let schema = resolved(schema)
        if schema == false { return ["\(place) is not described: \(value)"] }
        if let choices = schema["oneOf"]?.list {
            let faults = choices.map { self.faults(value, $0, at: place) }
            return faults.contains([]) ? [] : faults.flatMap { $0 }
        }
        guard isSimplyRight(value, schema) else { return ["\(place) is \(value), not \(schema)"] }
        switch value {
        case .list(let items):
            guard let schema = schema["items"] else { return [] }
            return items.enumerated().flatMap { faults($0.element, schema, at: "\(place)[\($0.offset)]") }
        case .object(let object): return faults(object, parts(of: schema), at: place)
        case .null, .boolean, .integer, .real, .text: return []
        }
    }

    private func faults(_ object: JSON.Object, _ schemas: [JSON], at place: String) -> [String] {
        let missing = schemas.flatMap { $0["required"]?.list ?? [] }.compactMap(\.text).filter {
            object[$0] == nil
        }
        return missing.map { "\(place) lacks '\($0)'" }
            + object.members.flatMap { member in
                let own = schemas.compactMap { $0["properties"]?[member.key] ?? $0["additionalProperties"] }
                    .first
                // An object of which nothing is said may have everything.
                let isFree = schemas.allSatisfy {
                    $0["properties"] == nil && $0["additionalProperties"] == nil
                }
                return isFree ? [] : faults(member.value, own ?? false, at: "\(place).\(member.key)")
            }
    }

    private func parts(of schema: JSON) -> [JSON] {
        [schema] + (schema["allOf"]?.list ?? []).flatMap { parts(of: resolved($0)) }
    }

    private func resolved(_ schema: JSON) -> JSON {
        guard let reference = schema["$ref"]?.text else { return schema }
        let found = reference.split(separator: "/").dropFirst().reduce(Optional(document)) { $0?[String($1)] }
        return found ?? false
    }

    /// Whether a value is right as far as its members are no matter.
    private func isSimplyRight(_ value: JSON, _ schema: JSON) -> Bool {
        if let words = schema["enum"]?.list, !words.contains(value) { return false }
        if let word = schema["const"], word != value { return false }
        if let type = schema["type"]?.text, !isOfType(value, type) { return false }
        let limits = { (of: String) in
            (schema["min\(of)"]?.integer ?? 0)...(schema["max\(of)"]?.integer ?? .max)
        }
        if let number = value.number {
            return number >= schema["minimum"]?.number ?? -.infinity
                && number <= schema["maximum"]?.number ?? .infinity
        }
        if let list = value.list {
            return limits("Items").contains(list.count)
        }
        guard let text = value.text else { return true }
        let pattern = schema["pattern"]?.text ?? ""
        return limits("Length").contains(text.unicodeScalars.count)
            && ((try? Regex(pattern).firstMatch(in: text)) ?? nil) != nil
    }

    private func isOfType(_ value: JSON, _ type: String) -> Bool {
        switch value {
        case .null: type == "null"
        case .boolean: type == "boolean"
        case .integer: type == "integer" || type == "number"
        case .real(let number): type == "number" || type == "integer" && number == number.rounded()
        case .text: type == "string"
        case .list: type == "array"
        case .object: type == "object"
        }
    }
}
