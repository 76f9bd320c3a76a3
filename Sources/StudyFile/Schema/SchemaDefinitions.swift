import TextFormat

/// Collects the definitions of a JSON Schema while its parts are described.
final class SchemaDefinitions {
    private var bodies: [String: JSON] = [:]
    private var order: [String] = []

    /// All definitions, in order of first use.
    var members: [JSON.Object.Member] {
        order.compactMap { name in bodies[name].map { JSON.Object.Member(key: name, value: $0) } }
    }

    /// A reference to a definition, which is described at its first use.
    func define(_ name: String, _ describe: (SchemaDefinitions) -> JSON) -> JSON {
        if !order.contains(name) {
            order.append(name)
            bodies[name] = describe(self)
        }
        return ["$ref": .text("#/definitions/" + name)]
    }

    /// The schema of a mapping.
    func object(
        title: String, description: String, fields: [FieldDeclaration], rules: [ShapeRule], additional: JSON
    ) -> JSON {
        var members: [JSON.Object.Member] = [
            .init(key: "title", value: .text(title)),
            .init(key: "description", value: .text(description)),
            .init(key: "type", value: "object"),
            .init(key: "additionalProperties", value: additional),
        ]
        let required = fields.filter(\.isRequired).map(\.key)
        if !required.isEmpty { members.append(.init(key: "required", value: .texts(required))) }
        members.append(
            .init(
                key: "properties",
                value: .members(fields.map { JSON.Object.Member(key: $0.key, value: property($0)) })))
        if !rules.isEmpty { members.append(.init(key: "allOf", value: .list(rules.map(\.schema)))) }
        return .members(members)
    }

    /// The schema of one key: its description for people, followed by its possible values.
    func property(_ field: FieldDeclaration) -> JSON {
        var members: [JSON.Object.Member] = [
            .init(key: "title", value: .text(field.title)),
            .init(key: "description", value: .text(field.description)),
            .init(key: "examples", value: .list([field.example])),
        ]
        if field.isOlder { members.append(.init(key: "deprecated", value: true)) }
        if let value = field.usual { members.append(.init(key: "default", value: value)) }
        guard case .object(let kind) = field.schema(self) else {
            preconditionFailure("a schema is an object")
        }
        if kind["$ref"] != nil || kind["description"] != nil {
            members.append(.init(key: "allOf", value: .list([.object(kind)])))
        } else {
            members += kind.givenMembers
        }
        return .members(members)
    }
}
