import Hashing
import StudyModel
import StudyTesting
import Testing
import TextFormat

@testable import Allocating

/// Arms with a limited number of places.
@Suite struct PlacesTests {
    private static func limited(_ method: Allocation.Method, _ places: [Int?]) -> AllocationDesign {
        var limited = design(method)
        for (arm, own) in places.enumerated() { limited.arms[arm].places = own }
        return limited
    }

    @Test(arguments: [
        Allocation.Method.simple, .blocks([4, 6]), .minimisation(.init(weights: [], probability: 0.8)),
    ])
    func `no arm gets more than its places, and the other one the rest`(method: Allocation.Method) {
        for trial in 0..<200 {
            var course = AllocationCourse(Self.limited(method, [3, 9]), secret: [UInt8(trial)])
            var given: [Identifier] = []
            while let arm = course.next([]) {
                course.record([], in: arm)
                given.append(arm)
            }
            #expect(given.count == 12 && given.count { $0 == "music" } == 3)
        }
        var open = AllocationCourse(Self.limited(method, [3, nil]), secret: [1])
        for _ in 0..<40 { open.next([]).map { open.record([], in: $0) } }
        #expect(open.next([]) == "quiet")
    }

    /// Goes through all orders that blocks of four can have, with full arms passed over, and counts by hand.
    @Test func `blocks with full arms are guessed as often as is possible`() {
        let block = (0..<16).map { bits in (0..<4).map { bits >> $0 & 1 } }.filter { $0.reduce(0, +) == 2 }
        var weights: [[Int]: Double] = [:]
        func walk(_ before: [Int], _ left: ArraySlice<Int>, _ weight: Double) {
            guard before.count < 9 else {
                for length in 1...9 { weights[Array(before.prefix(length)), default: 0] += weight }
                return
            }
            guard let next = left.first else {
                for own in block { walk(before, own[...], weight / Double(block.count)) }
                return
            }
            let isFull = next == 0 && before.count { $0 == 0 } == 3
            walk(isFull ? before : before + [next], left.dropFirst(), weight)
        }
        walk([], [], 1)
        var most = 0.0
        for length in 1...9 {
            var best: [[Int]: Double] = [:]
            for (history, weight) in weights where history.count == length {
                let before = Array(history.dropLast())
                best[before] = max(best[before, default: 0], weight)
            }
            most += best.values.reduce(0, +) / 9
        }
        let simulation = AllocationSimulation(
            Self.limited(.blocks([4]), [3, nil]), levels: [], participants: 9, trials: 20_000, seed: 1)
        #expect(abs(simulation.guessed - most) < 0.005, "\(simulation.guessed), \(most)")
    }

    @Test func `simple draws are known once an arm is full`() {
        let simulation = AllocationSimulation(
            Self.limited(.simple, [2, 2]), levels: [], participants: 4, trials: 20_000, seed: 1)
        // 1/2, 1/2; half of the time both arms have one: 1/2, else 1; the fourth is always known.
        #expect(abs(simulation.guessed - (0.5 + 0.5 + 0.75 + 1) / 4) < 0.005, "\(simulation.guessed)")
        #expect(simulation.spread.largest == 0)
    }
}

/// Who can be allocated, and who cannot.
@Suite struct AdmissionTests {
    private static let time = "2026-11-23T12:00:00+0000"
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/ledger" }

    private func ledger(_ change: (inout AllocationDesign) -> Void = { _ in }, codes: String? = nil) throws
        -> Ledger
    {
        var changed = design(.simple, by: ["sex"])
        changed.levels = [["female", "male"]]
        change(&changed)
        try Ledger.create(
            at: path, for: changed, secret: secret, codes: codes.map { Array($0.utf8) }, time: Self.time)
        return try Ledger(at: path)
    }

    private func refusal(_ work: () throws(LedgerFailure) -> Void) -> LedgerFailure? {
        do throws(LedgerFailure) {
            try work()
            return nil
        } catch { return error }
    }

    private func take(_ ledger: Ledger, _ code: String, _ level: String = "female") -> LedgerFailure? {
        refusal { () throws(LedgerFailure) in _ = try ledger.assign(code, [level], at: Self.time) }
    }

    @Test func `a place is given again when its participant did not complete`() throws {
        let ledger = try ledger {
            $0.arms[0].places = 1
            $0.arms[1].places = 1
            $0.allocation.refills = true
        }
        let first = try ledger.assign("P01", ["female"], at: Self.time)
        #expect(take(ledger, "P02") == nil)
        #expect(take(ledger, "P03") == .full)
        try ledger.end("P01", completed: true, at: Self.time)
        #expect(take(ledger, "P03") == .full)
        try ledger.end("P01", completed: false, by: "Dr. A", because: "moved away", at: Self.time)
        try ledger.end("P01", completed: false, at: Self.time)
        #expect(try ledger.assign("P03", ["male"], at: Self.time).arm == first.arm)
        // Whoever comes back is held for once more.
        try ledger.end("P01", completed: true, at: Self.time)
        try ledger.end("P03", completed: false, at: Self.time)
        #expect(take(ledger, "P04") == .full)
        let opened = try Ledger(at: path)
        #expect(opened.derived.allSatisfy { $0.slot.arm == $0.derived })
        #expect(
            opened.contents.endings.count == 4 && opened.contents.incomplete.map(\.participant) == ["P03"])
        #expect(opened.contents.completed("P01") == true && opened.contents.completed("P02") == nil)
        #expect(
            refusal { () throws(LedgerFailure) in
                try ledger.end("P99", completed: false, by: "Dr. A", because: "x", at: Self.time)
            }?.kind == .usage)
        // A run that ended before its allocation is no news.
        try ledger.end("P99", completed: false, at: Self.time)
    }

    @Test func `without refilling, a place stays taken`() throws {
        let ledger = try ledger {
            $0.arms[0].places = 1
            $0.arms[1].places = 1
        }
        #expect(take(ledger, "P01") == nil)
        #expect(take(ledger, "P02") == nil)
        try ledger.end("P01", completed: false, at: Self.time)
        #expect(take(ledger, "P03") == .full)
    }

    @Test func `public chance comes before the first participant, once, and decides`() throws {
        let ledger = try ledger { $0.allocation.publicChance = "Lotto, 6 March 2027" }
        #expect(take(ledger, "P01")?.description.contains("Lotto, 6 March 2027") == true)
        try ledger.mix("4 11 19", by: "Anna", at: Self.time)
        #expect(
            refusal { () throws(LedgerFailure) in try ledger.mix("4", by: "A", at: Self.time) }?.kind
                == .usage)
        var course = AllocationCourse(
            design(.simple), secret: SHA256.digest(of: secret + Array("4 11 19".utf8)))
        var arms: [Identifier] = []
        for number in 1...12 {
            let arm = try ledger.assign("P\(number)", ["female"], at: Self.time).arm
            #expect(course.next([]) == arm)
            course.record([], in: arm)
            arms.append(arm)
        }
        var plain = AllocationCourse(design(.simple), secret: secret)
        let others = arms.map { _ in
            let arm = plain.next([]) ?? ""
            plain.record([], in: arm)
            return arm
        }
        #expect(arms != others)
        #expect(try Ledger(at: path).contents.chance?.by == "Anna")
        #expect(try Ledger(at: path).derived.allSatisfy { $0.slot.arm == $0.derived })
    }

    @Test func `no study without public chance takes any`() throws {
        let ledger = try ledger()
        #expect(
            refusal { () throws(LedgerFailure) in try ledger.mix("4", by: "A", at: Self.time) }?.kind
                == .usage)
    }

    @Test func `only codes of the list are allocated, and only answers of the study`() throws {
        let ledger = try ledger(codes: "P01\nP02\r\n")
        #expect(take(ledger, "P01") == nil)
        #expect(take(ledger, "P03")?.description.contains("list of codes") == true)
        #expect(take(ledger, "P02", "mail")?.description.contains("female or male") == true)
        #expect(take(ledger, "P02", "") == nil)
        #expect(writeFile(Array("P01\nP02\nP03\n".utf8), to: path + "/codes"))
        #expect(refusal { () throws(LedgerFailure) in _ = try Ledger(at: path) }?.kind == .damaged)
    }

    @Test(arguments: ["p01", "P1", "PO1", "P 01", "P-01", "Р01", "P００１", "p٠١"])
    func `a code that looks like another one is refused`(code: String) throws {
        let ledger = try ledger()
        #expect(take(ledger, "P01") == nil)
        #expect(take(ledger, code)?.description.contains("looks like 'P01'") == true)
        #expect(take(ledger, "P01") == nil)
        for other in ["P10", "P11", "P001x", "Q01", "P"] {
            #expect(take(ledger, other) == nil, "\(other)")
        }
    }

    @Test func `a room gets the next arm when its last run has ended`() throws {
        let ledger = try ledger()
        let ask = { (code: String, room: String, minute: Int) in
            refusal { () throws(LedgerFailure) in
                let time = "2026-11-23T12:\(minute < 10 ? "0" : "")\(minute):00+0000"
                _ = try ledger.assign(code, ["male"], at: time, room: room)
            }
        }
        #expect(
            ask("A1", "room-1", 0) == nil && ask("A1", "room-1", 0) == nil && ask("B1", "room-2", 0) == nil)
        #expect(ask("A2", "room-1", 1)?.description.contains("'A1'") == true)
        try ledger.end("A1", completed: false, at: Self.time)
        #expect(ask("A2", "room-1", 2) == nil)
        #expect(take(ledger, "C1") == nil && take(ledger, "C2") == nil)
        for number in 3...20 {
            try ledger.end("A\(number - 1)", completed: true, at: Self.time)
            #expect(ask("A\(number)", "room-1", number) == nil)
        }
        try ledger.end("A20", completed: true, at: Self.time)
        #expect(ask("A21", "room-1", 59)?.kind == .tooMany)
        #expect(ask("B2", "room-2", 59)?.kind == .damaged)
        #expect(try ledger.look().unended.map(\.participant) == ["B1", "C1", "C2"])
    }

    @Test func `a ledger of an earlier program goes on as it was`() throws {
        let ledger = try ledger { $0.levels = nil }
        #expect(take(ledger, "P01", "mail") == nil)
        let file = path + "/ledger.jsonl"
        let text = String(decoding: try #require(readFile(file)), as: UTF8.self)
        let head = text.split(separator: "\n")[0].replacing("\"ledger\":2", with: "\"ledger\":1")
        #expect(writeFile(Array("\(head)\n".utf8), to: file))
        let old = try Ledger(at: path)
        #expect(take(old, "P01") == nil)
        try old.end("P01", completed: false, at: Self.time)
        #expect(try old.look().endings.isEmpty && old.look().unended.isEmpty)
        var known = old.contents.design
        known.levels = [["female", "male"]]
        try old.mustBe(of: known)
    }
}
