import Testing
import TextFormat

@testable import Exports

@Suite struct BIDSLevelTests {
    /// A validator refuses a value that is not among the levels of its column.
    @Test func `an end of the study's own is a level of how a run ended`() {
        let levels = BIDSSidecars.scans(["completed", "tooYoung"])["status"]?["Levels"]
        #expect(levels?["tooYoung"]?.text == "the participant came to this end of the study")
        #expect(levels?["completed"]?.text == "the participant went through the task to its end")
        #expect(levels?["saved"] != nil && BIDSSidecars.scans([])["status"]?["Levels"]?["tooYoung"] == nil)
    }

    @Test func `whatever can happen has a tag of HED`() {
        let told = BIDSSidecars.events("t", of: "s", program: "1")["trial_type"]
        let levels = told?["Levels"]?.object?.members.map(\.key) ?? []
        #expect(!levels.isEmpty && levels == told?["HED"]?.object?.members.map(\.key))
    }
}
