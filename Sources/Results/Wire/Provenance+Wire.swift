import StudyModel
package import TextFormat

extension Provenance {
    package var wire: JSON {
        [
            "participant": isParticipantSimulated ? "simulated" : "person",
            "sources": sourcesJSON,
        ]
    }

    /// The kind of each source by its name.
    package var sourcesJSON: JSON {
        .members(Dictionary(uniqueKeysWithValues: sources.map { ($0.key.text, JSON.text($0.value)) }))
    }

    init(wire: JSON) throws {
        let participant = try wire.field("participant").asText()
        let sources = try wire.field("sources").asDictionary { try $0.asText() }
        self.init(
            // Everything but `person` counts as simulated.
            isParticipantSimulated: participant != "person",
            sources: Dictionary(
                uniqueKeysWithValues: try sources.map {
                    (try JSON.text($0.key).asIdentifier(), $0.value)
                }))
    }
}
