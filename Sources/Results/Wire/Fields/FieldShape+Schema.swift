import StudyModel
package import TextFormat

/// A file of a bundle that holds JSON.
package enum BundleFile: String, CaseIterable, Sendable {
    case result, step, recording, plan, manifest, journal

    /// Where it lies in a bundle.
    package var place: String {
        switch self {
        case .result: "result.json"
        case .step: "steps/*/result.json"
        case .recording: "a recorder's file of items, steps/*/*.json"
        case .plan: "plan.json"
        case .manifest: "manifest.json"
        case .journal: "one line of journal.jsonl"
        }
    }

    private var shape: FieldShape {
        switch self {
        case .result: .result
        case .step: .step
        case .recording: .recording
        case .plan: .plan
        case .manifest: .manifest
        case .journal: .journal
        }
    }

    /// The JSON Schema (draft 7) of the file.
    ///
    /// It allows keys that it does not list, because later programs may add some.
    package var schema: JSON {
        var members = shape.schema
        members["$schema"] = "http://json-schema.org/draft-07/schema#"
        members["title"] = .text("Entrain, result bundle \(Manifest.currentVersion): \(place)")
        return .members(members)
    }
}

extension FieldShape {
    /// The members of a JSON Schema.
    fileprivate var schema: [String: JSON] {
        switch self {
        case .boolean: ["type": "boolean"]
        case .integer(let range): Self.integers(range)
        case .number(let range): Self.numbers(range)
        case .real: ["anyOf": [["type": "number"], Self.words(["inf", "-inf", "nan"])]]
        case .constant(let text): ["const": .text(text)]
        case .word(let words): ["enum": .texts(words.sorted())]
        case .timeOfDay: Self.texts("^[0-2][0-9]:[0-5][0-9]$")
        case .checksum: Self.texts("^[0-9a-f]{64}$")
        case .identifier: Self.texts("^[A-Za-z0-9._-]{1,64}$")
        case .text, .usual, .typed, .replaced, .participant: ["type": "string"]
        case .date, .answeredDate:
            Self.texts("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[+-][0-9]{4}$")
        case .moment: Self.numbers(BundleLimits.calendar)
        case .run: Self.texts("^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$")
        case .file: Self.texts("^[A-Za-z0-9._-]{1,255}(/[A-Za-z0-9._-]{1,255})*$")
        case .dropped(let shape): shape.schema
        case .list(let item): ["items": .members(item.schema), "type": "array"]
        case .tuple(let items):
            [
                "additionalItems": false, "items": .list(items.map { .members($0.schema) }),
                "minItems": .integer(items.count), "type": "array",
            ]
        case .fields(let required, let optional): Self.objects(required, optional)
        case .named(let value): ["additionalProperties": .members(value.schema), "type": "object"]
        case .cases(let cases): ["oneOf": .list(Self.alternatives(cases))]
        case .either(let shapes): ["anyOf": .list(shapes.map { .members($0.schema) })]
        }
    }

    private static func integers(_ range: ClosedRange<Int>) -> [String: JSON] {
        var members: [String: JSON] = ["type": "integer"]
        if range.lowerBound != .min { members["minimum"] = .integer(range.lowerBound) }
        if range.upperBound != .max { members["maximum"] = .integer(range.upperBound) }
        return members
    }

    private static func numbers(_ range: ClosedRange<Double>) -> [String: JSON] {
        ["maximum": .real(range.upperBound), "minimum": .real(range.lowerBound), "type": "number"]
    }

    private static func texts(_ pattern: String) -> [String: JSON] {
        ["pattern": .text(pattern), "type": "string"]
    }

    private static func words(_ words: [String]) -> JSON { ["enum": .texts(words)] }

    private static func objects(
        _ required: [String: FieldShape], _ optional: [String: FieldShape]
    ) -> [String: JSON] {
        var members: [String: JSON] = [
            "properties": .members(required.merging(optional) { $1 }.mapValues { .members($0.schema) }),
            "type": "object",
        ]
        if !required.isEmpty { members["required"] = .texts(required.keys.sorted()) }
        return members
    }

    private static func alternatives(_ cases: [String: FieldShape?]) -> [JSON] {
        let names = cases.filter { $0.value == nil }.keys.sorted()
        let holders: [JSON] = cases.sorted { $0.key < $1.key }.compactMap { name, shape in
            shape.map { shape in
                [
                    "additionalProperties": false, "properties": .members([name: .members(shape.schema)]),
                    "required": [.text(name)], "type": "object",
                ]
            }
        }
        return (names.isEmpty ? [] : [words(names)]) + holders
    }
}
