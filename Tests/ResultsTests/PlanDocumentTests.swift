import Platform
import Results
import StudyModel
import StudyTesting
import Testing

@Suite struct PlanDocumentTests {
    private let document: PlanDocument = {
        var plan = Sample.plan
        var weighted = Draw(
            stream: "draw/MusicTask/b/1", method: "weighted", pool: ["a", "b"], chosen: ["b"])
        weighted.weights = [1, 2.5]
        var shuffled = Draw(
            stream: "order/MusicTask/block/1", method: "shuffle", pool: ["a", "b"], chosen: ["b", "a"])
        shuffled.constraints = [
            .noImmediateRepeat(attribute: "mood"), .maximumRun(attribute: "mood", length: 2),
            .minimumDistance(attribute: "id", steps: 2),
        ]
        shuffled.categories = ["mood": ["a": "calm", "b": "dark"]]
        var square = Draw(
            stream: "square/clips", method: "williams", pool: ["a", "b"], chosen: ["a", "b"])
        (square.number, square.row) = (7, 0)
        plan.draws += [weighted, shuffled, square]
        return PlanDocument(plan)
    }()

    @Test func `plan.json stays as documented`() {
        #expect(goldenDifference(String(decoding: document.encoded(), as: UTF8.self), "plan.json") == nil)
    }

    @Test func `plan.json reads back as the same`() throws {
        #expect(try PlanDocument(parsing: document.encoded()) == document)
    }

    @Test(arguments: ["", "{}", #"{"algorithm":"entrain-1"}"#, "[]"])
    func `anything else is refused with its path`(text: String) {
        let error = #expect(throws: FileFailure.self) { try PlanDocument(parsing: Array(text.utf8)) }
        #expect(error?.path == "plan.json")
    }

    @Test func `a seed as a number is refused, since others would round it`() {
        let text = String(decoding: document.encoded(), as: UTF8.self)
            .replacing(#""seed":"20151112""#, with: #""seed":20151112"#)
        #expect(throws: FileFailure.self) { try PlanDocument(parsing: Array(text.utf8)) }
    }
}
