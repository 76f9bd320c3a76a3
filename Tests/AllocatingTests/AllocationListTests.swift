import Glibc
import Results
import StudyModel
import StudyTesting
import Testing
import TextFormat

@testable import Allocating

private func design(by factors: [Identifier] = ["sex"], list: [UInt8] = []) -> AllocationDesign {
    AllocationDesign(
        study: "calm", arms: [.init("music"), .init("quiet")],
        allocation: Allocation(
            .list, by: factors, commitment: AllocationDesign.commitment(to: secret, sealed: list)))
}

private let levels = [["female", "male"]]

private let sample = """
    slot,arm,sex
    2,quiet,female
    1,music,female
    3,quiet,female
    1,quiet,male
    2,music,male
    7,music,

    """

/// Lists that somebody else made.
@Suite struct AllocationListTests {
    private func list(_ text: String, by factors: [Identifier] = ["sex"]) throws(LedgerFailure)
        -> AllocationList
    {
        try AllocationList(
            Array(text.utf8), from: "list.csv", for: design(by: factors),
            levels: factors.isEmpty ? [] : levels)
    }

    @Test func `the slots of each stratum come in the order of their numbers`() throws {
        let list = try list(sample)
        #expect(list.count == 6 && list.slots(of: "music") == 3)
        #expect(
            (0...3).map { list.arm(for: ["female"], after: $0) } == ["music", "quiet", "quiet", nil])
        #expect((0...2).map { list.arm(for: ["male"], after: $0) } == ["quiet", "music", nil])
        #expect(list.arm(for: [""], after: 0) == "music" && list.arm(for: ["other"], after: 0) == nil)
        #expect(list.strata.map(\.slots) == [1, 3, 2])
        #expect(AllocationList.words(for: ["", "male"]) == "'no answer, male'")
    }

    @Test(arguments: [
        sample.replacing("\n", with: "\r\n"), "\u{FEFF}" + sample, sample + "\n\n",
        sample.replacing("female", with: "\"female\"").replacing("slot,arm", with: "\"slot\",\"arm\""),
        String(sample.dropLast()),
    ])
    func `spreadsheets and R write the same list in other ways`(text: String) throws {
        let (own, other) = (try list(sample), try list(text))
        #expect(own.count == other.count)
        for stratum in own.strata {
            for place in 0...3 {
                #expect(
                    own.arm(for: stratum.levels, after: place) == other.arm(for: stratum.levels, after: place)
                )
            }
        }
    }

    @Test func `columns may stand in any order, and cells hold commas, quotes and line breaks`()
        throws
    {
        let text = "sex,arm,slot\n\"a \"\"b\"\", c\nd\",music,1\n"
        let list = try AllocationList(
            Array(text.utf8), from: "list.csv", for: design(), levels: [["a \"b\", c\nd"]])
        #expect(list.arm(for: ["a \"b\", c\nd"], after: 0) == "music")
    }

    @Test(arguments: [
        ("", 1, "empty"), ("\n\n", 1, "empty"), ("slot,arm,sex\n", 1, "no slots"),
        ("slot;arm;sex\n1;music;male\n", 1, "no column 'slot'"),
        ("slot,arm\n1,music\n", 1, "no column 'sex'"),
        ("slot,arm,sex,age\n1,music,male,3\n", 1, "'age' is unknown"),
        ("slot,arm,sex,sex\n1,music,male,male\n", 1, "twice"),
        ("slot,arm,sex\n1,music\n", 2, "2 values"), ("slot,arm,sex\n1,talk,male\n", 2, "no arm 'talk'"),
        ("slot,arm,sex\n1,music,male\n0,music,male\n", 3, "'0' is no number"),
        ("slot,arm,sex\n1,music,male\none,music,male\n", 3, "'one' is no number"),
        ("slot,arm,sex\n1,music,male\n\n1,quiet,male\n", 4, "line 2 already"),
        ("slot,arm,sex\n1,music,other\n", 2, "female or male"),
        ("slot,arm,sex\n1,music,\"male\n2,music,male\n", 2, "'sex' cannot be"),
    ])
    func `names the line and what is wrong`(text: String, line: Int, words: String) {
        do throws(LedgerFailure) {
            _ = try list(text)
            Issue.record("taken: \(text)")
        } catch {
            #expect(
                error.kind == .damaged && error.description.hasPrefix("list.csv:\(line): ")
                    && error.description.contains(words), "\(error)")
        }
    }

    @Test func `a list that is no text is told`() {
        #expect(throws: LedgerFailure.self) {
            try AllocationList([0xFF, 0xFE, 0x73], from: "list.csv", for: design(), levels: levels)
        }
    }

    @Test func `a design with a list survives being written`() throws {
        #expect(try AllocationDesign(json: JSON(parsing: design().json.encoded())) == design())
    }

    @Test func `a simulation counts those who find no slot`() throws {
        let text =
            "slot,arm\n" + (1...20).map { "\($0),\($0.isMultiple(of: 2) ? "music" : "quiet")\n" }.joined()
        let simulation = AllocationSimulation(
            design(by: []), levels: [], participants: 24, trials: 50, seed: 1,
            list: try list(text, by: []))
        #expect(simulation.withoutSlot == 4 && simulation.spread.largest == 0)
        // Every second guess is a coin, and the others are certain.
        #expect(simulation.guessed == 0.75)
    }
}

/// Ledgers whose slots come from a list.
@Suite struct ListedLedgerTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/ledger" }
    private static let time = "2026-11-23T12:00:00+0000"
    private static let bytes = Array(sample.utf8)

    private func create() throws -> Ledger {
        let own = design(list: Self.bytes)
        let list = try AllocationList(Self.bytes, from: "list.csv", for: own, levels: levels)
        try Ledger.create(at: path, for: own, secret: secret, sealed: list.bytes, time: Self.time)
        return try Ledger(at: path)
    }

    private func failure(_ work: () throws(LedgerFailure) -> Void) -> LedgerFailure? {
        do throws(LedgerFailure) {
            try work()
            return nil
        } catch { return error }
    }

    @Test func `gives the slots in order, and nothing beyond them`() throws {
        let ledger = try create()
        var arms: [String] = []
        for (place, sex) in ["female", "male", "female", "male"].enumerated() {
            arms.append(try ledger.assign("P0\(place)", [sex], at: Self.time).arm.text)
        }
        #expect(arms == ["music", "quiet", "quiet", "music"])
        #expect(try ledger.admit(nil, in: ledger.look()) == ["'male'"])
        let stratum = failure { () throws(LedgerFailure) in
            _ = try ledger.assign("P10", ["male"], at: "")
        }
        #expect(stratum?.kind == .damaged && stratum?.description.contains("with 'male'") == true)
        #expect(try ledger.assign("P00", ["female"], at: "").arm == "music")
        for (place, sex) in ["", "female"].enumerated() {
            _ = try ledger.assign("P2\(place)", [sex], at: Self.time)
        }
        let all = failure { () throws(LedgerFailure) in _ = try ledger.assign("P30", ["female"], at: "")
        }
        #expect(all?.description.contains("used up: nobody") == true, "\(all?.description ?? "")")
        let contents = try ledger.look()
        #expect(contents.slots.count == 6)
        #expect(
            failure { () throws(LedgerFailure) in _ = try ledger.admit("P30", in: contents) }
                == all)
        #expect(try ledger.admit("P20", in: contents) == [])
        let derived = try Ledger(at: path).derived
        #expect(derived.count == 6 && derived.allSatisfy { $0.slot.arm == $0.derived })
        #expect(try ledger.reveal(at: Self.time).slots.map(\.derived) == derived.map(\.derived))
    }

    @Test func `a list that was changed is refused`() throws {
        _ = try create()
        let file = path + "/list.csv"
        #expect(unsafe system("test $(stat -c %a \(file)) = 600") == 0)
        #expect(readFile(file) == Self.bytes)
        #expect(writeFile(Array(sample.replacing("7,music", with: "7,quiet").utf8), to: file))
        let changed = failure { () throws(LedgerFailure) in _ = try Ledger(at: path) }
        #expect(changed?.kind == .damaged && changed?.description.contains("or the list") == true)
        #expect(unsafe system("rm \(file)") == 0)
        #expect(failure { () throws(LedgerFailure) in _ = try Ledger(at: path) }?.kind == .unreachable)
    }

    @Test func `an arm that the list does not have is told`() throws {
        let ledger = try create()
        _ = try ledger.assign("P01", ["female"], at: Self.time)
        let file = path + "/ledger.jsonl"
        let text = String(decoding: try #require(readFile(file)), as: UTF8.self)
        let other = text.replacing("\"arm\":\"music\"", with: "\"arm\":\"quiet\"")
        #expect(other != text && writeFile(Array(other.utf8), to: file))
        let derived = try Ledger(at: path).derived
        #expect(derived.map(\.slot.arm) == ["quiet"] && derived.map(\.derived) == ["music"])
    }
}
