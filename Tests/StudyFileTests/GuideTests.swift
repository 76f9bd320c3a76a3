import StudyFile
import Testing

@Suite struct GuideTests {
    /// The complete files of the guide, in its order.
    private static func files() throws -> [String] {
        let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        let guide = folder.joined(separator: "/") + "/Sources/Documentation/Entrain.docc/Authoring.md"
        let text = try Fixture(path: guide).text()
        return text.split(separator: "\n**Complete file**").dropFirst().compactMap { part in
            guard let start = part.firstRange(of: "```yaml\n")?.upperBound,
                let end = part[start...].firstRange(of: "\n```")?.lowerBound
            else { return nil }
            return String(part[start..<end])
        }
    }

    @Test func `the guide's complete studies are right as they stand`() throws {
        let studies = try Self.files().filter { $0.contains("tasks:") }
        #expect(studies.count == 2)
        for study in studies { #expect(parse(study).diagnostics.isEmpty) }
    }

    @Test func `the guide's catalogue is right as it stands`() throws {
        let catalogue = try #require(try Self.files().first { !$0.contains("tasks:") })
        let library = Library(text: { _ in .success(Array(catalogue.utf8)) }, media: { _ in nil })
        let text = study(
            "- {type: active, identifier: a, duration: 9 s, stimulus: {play: slow_piano}}",
            head: "stimuli: {clips: {catalogue: clips.yaml}}")
        #expect(ParsedStudy(Array(text.utf8), named: "study.yaml", library: library).diagnostics.isEmpty)
    }
}
