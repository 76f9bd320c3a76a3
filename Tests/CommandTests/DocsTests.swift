import StudyTesting
import Testing

/// `entrain docs`.
@Suite struct DocsTests {
    @Test func `lists the pages, and shows one, a section, and what has the words`() {
        let program = Program()
        let list = program.run("docs")
        #expect(list.code == 0 && list.output.contains("Sessions ") && list.output.contains("StudyKeys "))
        let page = program.run("docs sessions")
        #expect(page.code == 0 && page.output.hasPrefix("Sessions\n") && !page.output.contains("<doc:"))
        let section = program.run("docs StudyKeys#Older-words")
        #expect(
            section.output.hasPrefix("StudyKeys: Older words\n") && section.output.contains("`effort` alone"))
        let found = program.run("docs older words")
        #expect(found.output.hasPrefix("StudyKeys: Older words\n") && found.output.contains("\nAlso:\n"))
    }

    @Test func `words that no section has, and pages that are not there, are told`() {
        let program = Program()
        let nothing = program.run("docs xylophonist zeppelin")
        #expect(nothing.code == 64 && nothing.errors.contains("no section has all of these words"))
        let lost = program.run("docs", environment: "ENTRAIN_DATA=/nowhere")
        #expect(lost.code == 69 && lost.errors.contains("set ENTRAIN_DATA"))
    }
}
