import StudyFile
import Testing

@Suite struct CatalogueSchemaTests {
    @Test func `the schema of catalogues is the golden one`() throws {
        try expectGolden(CatalogueSchema.text, "catalogue.schema.json")
    }

    @Test(arguments: [
        ("entrain: 1\nclips: []\n", true), ("# mine\nclips:\n  - {identifier: a, file: a.wav}\n", true),
        ("clip:\n", true), ("entrain: 1\nstudy: {title: clips}\n", false), ("tasks: []\nclips: []\n", false),
        ("", false),
    ])
    func `a catalogue is known by its keys`(text: String, isCatalogue: Bool) {
        #expect(ParsedCatalogue.isCatalogue(Array(text.utf8)) == isCatalogue)
    }
}
