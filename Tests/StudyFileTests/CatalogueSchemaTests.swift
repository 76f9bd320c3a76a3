import StudyFile
import Testing

@Suite struct CatalogueSchemaTests {
    @Test func `the schema of catalogues is the golden one`() throws {
        try expectGolden(CatalogueSchema.text, "catalogue.schema.json")
    }

    @Test(arguments: Fixture.all("valid-catalogues"))
    func `a valid catalogue has nothing wrong`(fixture: Fixture) throws {
        let found = try errors(in: fixture)
        #expect(found.isEmpty, "\(found.rendered(isColoured: false))")
    }

    @Test(arguments: Fixture.all("invalid-catalogues"))
    func `an invalid catalogue is refused`(fixture: Fixture) throws {
        #expect(try !errors(in: fixture).isEmpty)
    }

    @Test func `there are catalogues of both kinds`() {
        #expect(Fixture.all("valid-catalogues").count >= 8 && Fixture.all("invalid-catalogues").count >= 25)
    }

    private func errors(in fixture: Fixture) throws -> [Diagnostic] {
        ParsedCatalogue(Array(try fixture.text().utf8), named: "clips.yaml", library: .sample).diagnostics
            .filter { $0.severity == .error }
    }

    @Test(arguments: [
        ("entrain: 1\nclips: []\n", true), ("# mine\nclips:\n  - {identifier: a, file: a.wav}\n", true),
        ("clip:\n", true), ("entrain: 1\nstudy: {title: clips}\n", false), ("tasks: []\nclips: []\n", false),
        ("", false), ("{entrain: 1, clips: [{identifier: a, file: a.wav}]}\n", true),
        ("# mine\n  {\"clips\": []}", true),
        ("{entrain: 1, study: {title: clips}, tasks: [{clips: 1}]}", false),
    ])
    func `a catalogue is known by its keys`(text: String, isCatalogue: Bool) {
        #expect(ParsedCatalogue.isCatalogue(Array(text.utf8)) == isCatalogue)
    }
}
