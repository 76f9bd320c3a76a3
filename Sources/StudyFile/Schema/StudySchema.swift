/// The format of study files as a JSON Schema.
package enum StudySchema {
    /// Draft 07, pretty-printed, ending with a line feed; the same at every call.
    ///
    /// Made of the declarations that decode the file, so it cannot say anything else.
    package static var text: String {
        let definitions = SchemaDefinitions()
        let root = Kind.mapping(StudyShape.shape).schema(definitions)
        let schema: JSON = [
            "$schema": "http://json-schema.org/draft-07/schema#",
            "title": "Entrain study",
            "description": "A research study for entrain, version 1 of the format.",
            "allOf": [root],
            "definitions": .object(definitions.members),
        ]
        return schema.text(indentation: 0) + "\n"
    }
}
