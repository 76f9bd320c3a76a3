import TextFormat

/// The format of study files as a JSON Schema.
package enum StudySchema {
    /// Draft 07, pretty-printed, ending with a line feed; the same at every call.
    ///
    /// It is made from the declarations that decode the file, so the two always agree.
    package static var text: String {
        document(
            of: .mapping(StudyShape.shape), title: "Entrain study",
            description: "A research study for entrain, version 1 of the format.")
    }

    static func document<Value>(of kind: Kind<Value>, title: String, description: String) -> String {
        let definitions = SchemaDefinitions()
        let root = kind.schema(definitions)
        let schema: JSON = [
            "$schema": "http://json-schema.org/draft-07/schema#",
            "title": .text(title),
            "description": .text(description),
            "allOf": [root],
            "definitions": .members(definitions.members),
        ]
        return schema.document(indentation: 0) + "\n"
    }
}
