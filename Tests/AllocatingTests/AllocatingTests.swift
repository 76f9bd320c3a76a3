import Glibc
import Hashing
import Results
import StudyModel
import StudyTesting
import Testing
import TextFormat

@testable import Allocating

let secret = [UInt8](0..<32)

func design(
    _ method: Allocation.Method, by factors: [Identifier] = [], ratios: [Int] = [1, 1]
) -> AllocationDesign {
    let names: [Identifier] = ["music", "quiet", "talk"]
    return AllocationDesign(
        study: "calm", arms: zip(names, ratios).map { .init($0, ratio: $1) },
        allocation: Allocation(
            method, by: factors, commitment: AllocationDesign.commitment(to: secret)))
}

/// The arms of participants with levels, in order.
private func arms(of design: AllocationDesign, _ levels: [[String]]) -> [Identifier] {
    var course = AllocationCourse(design, secret: secret)
    return levels.compactMap { own in
        guard let arm = course.next(own) else { return nil }
        course.record(own, in: arm)
        return arm
    }
}

/// How arms follow from secret and design.
@Suite struct AllocationCourseTests {
    @Test func `a number beyond the last whole multiple of the bound is drawn again`() {
        let bound = 1 << 62 | 1
        // 2⁶⁴ = 3 · bound + 2⁶² − 3: a quarter of all numbers.
        let beyond = 0 &- UInt64(1 << 62 - 3)
        var draws = AllocationDraws(secret, study: "calm", slot: 1, levels: [])
        var (numbers, again) = (draws, 0)
        for _ in 0..<40 {
            var number = numbers.next()
            while number >= beyond {
                number = numbers.next()
                again += 1
            }
            #expect(draws.index(below: bound) == Int(number % UInt64(bound)))
        }
        #expect((5...25).contains(again))
    }

    @Test(arguments: [([1, 1], [4, 6]), ([2, 1], [3, 6]), ([1, 1, 1], [3])])
    func `blocks are exactly balanced in every stratum`(ratios: [Int], sizes: [Int]) {
        let stratified = design(.blocks(sizes), by: ["sex"], ratios: ratios)
        let names = ["female", "male", "other"]
        let levels = (0..<10_000).map { [names[$0 % 7 % 3]] }
        let given = arms(of: stratified, levels)
        for level in ["female", "male", "other"] {
            let own = zip(levels, given).filter { $0.0 == [level] }.map(\.1)
            // The sizes are drawn: whatever they are, no arm is further from its share than a block allows.
            let sum = ratios.reduce(0, +)
            for (arm, ratio) in zip(stratified.arms, ratios) {
                var count = 0
                for (place, given) in own.enumerated() {
                    count += given == arm.identifier ? 1 : 0
                    let share = Double(place + 1) * Double(ratio) / Double(sum)
                    guard abs(Double(count) - share) > Double(sizes.max() ?? 0) / 2 else { continue }
                    Issue.record("\(level), place \(place): \(count)")
                    return
                }
            }
        }
        let whole = arms(
            of: design(.blocks([sizes[0]]), ratios: ratios), Array(repeating: [], count: sizes[0] * 100))
        for (arm, ratio) in zip(stratified.arms, ratios) {
            #expect(
                whole.count { $0 == arm.identifier } == sizes[0] * 100 * ratio / ratios.reduce(0, +))
        }
    }

    @Test func `every arm that minimisation can take keeps the numbers close`() {
        let minimised = design(
            .minimisation(.init(weights: [1, 2], probability: 1)), by: ["sex", "age"])
        let levels = (0..<600).map { number -> [String] in
            let isFemale = number * 7 % 5 % 2 == 0
            let isYoung = number * 3 % 7 % 2 == 0
            return [isFemale ? "f" : "m", isYoung ? "young" : "old"]
        }
        let given = arms(of: minimised, levels)
        for factor in 0..<2 {
            for level in Set(levels.map { $0[factor] }) {
                let own = zip(levels, given).filter { $0.0[factor] == level }.map(\.1)
                #expect(abs(own.count { $0 == "music" } * 2 - own.count) <= 4, "\(level)")
            }
        }
    }

    @Test func `among arms that are equally good, minimisation draws`() {
        let minimised = design(.minimisation(.init(weights: [1], probability: 1)), by: ["sex"])
        let firsts = (0..<600).map { number -> Identifier? in
            var course = AllocationCourse(minimised, secret: [UInt8(number % 256), UInt8(number / 256)])
            return course.next(["f"])
        }
        #expect((250...350).contains(firsts.count { $0 == "music" }))
    }

    @Test func `minimisation keeps to ratios without a common divisor`() {
        let minimised = design(
            .minimisation(.init(weights: [1], probability: 1)), by: ["sex"], ratios: [2, 3])
        let given = arms(of: minimised, Array(repeating: ["f"], count: 500))
        #expect(given.count { $0 == "music" } == 200)
    }

    @Test func `another secret, study, stratum or slot gives other numbers`() {
        var numbers: Set<UInt64> = []
        for (key, study, slot, levels) in [
            (secret, "a" as Identifier, 1, [String]()), ([1], "a", 1, []), (secret, "b", 1, []),
            (secret, "a", 2, []), (secret, "a", 1, ["x"]), (secret, "a", 1, ["x", "y"]),
        ] {
            var draws = AllocationDraws(key, study: study, slot: slot, levels: levels)
            numbers.formUnion([draws.next(), draws.next()])
        }
        #expect(numbers.count == 12)
    }

    /// Made with Python: hmac.digest(bytes(range(32)), b"entrain-allocation/1\ncalm\n1\n0", "sha256")[:8].
    @Test func `the numbers are those of the page`() {
        var draws = AllocationDraws(secret, study: "calm", slot: 1, levels: [])
        #expect(draws.next() == 4368805088442020611)
    }

    @Test func `a design survives being written, and only as it was written`() throws {
        for own in [
            design(.simple), design(.blocks([4, 6]), by: ["sex"]),
            design(
                .minimisation(
                    .init(weights: [1, 3], usesVariance: true, probability: 0.75, burnIn: 5)),
                by: ["sex", "strain.level"], ratios: [2, 1, 1]),
        ] {
            let parsed = try JSON(parsing: own.json.encoded())
            #expect(AllocationDesign(json: parsed) == own)
            var changed = try #require(parsed.object)
            changed["method"] = "coin"
            #expect(AllocationDesign(json: .object(changed)) == nil)
            #expect(AllocationDesign(json: [:]) == nil)
        }
    }
}

/// The ledger on disk.
@Suite struct LedgerTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/ledger" }
    private var file: String { path + "/ledger.jsonl" }
    private static let time = "2026-11-23T12:00:00+0000"

    private func create(_ design: AllocationDesign = design(.blocks([4]), by: ["sex"])) throws {
        try Ledger.create(at: path, for: design, secret: secret, time: Self.time)
    }

    private func kind(_ work: () throws(LedgerFailure) -> Void) -> LedgerFailure.Kind? {
        do throws(LedgerFailure) {
            try work()
            return nil
        } catch { return error.kind }
    }

    @Test func `a participant has one slot, however often it is asked for`() throws {
        try create()
        let first = try Ledger(at: path).assign("P01", ["female"], at: Self.time)
        let other = try Ledger(at: path).assign("P02", ["male"], at: Self.time)
        let again = try Ledger(at: path).assign("P01", ["male"], at: "later")
        #expect(first == again && first.number == 1 && other.number == 2)
        #expect(try Ledger(at: path).contents.slots == [first, other])
    }

    @Test func `sizes of blocks that the study hides lie with the secret, and decide`() throws {
        let sizes = Ledger.text(of: [4, 6])
        var hidden = design(.blocks([]), by: ["sex"])
        hidden.allocation.commitment = AllocationDesign.commitment(to: secret, sealed: sizes)
        try Ledger.create(at: path, for: hidden, secret: secret, sealed: sizes, time: Self.time)
        var known = AllocationCourse(design(.blocks([4, 6]), by: ["sex"]), secret: secret)
        for number in 1...20 {
            let levels = [number.isMultiple(of: 3) ? "male" : "female"]
            let arm = try Ledger(at: path).assign("P\(number)", levels, at: Self.time).arm
            #expect(arm == known.next(levels))
            known.record(levels, in: arm)
        }
        let ledger = try Ledger(at: path)
        #expect(ledger.hiddenSizes == [4, 6] && ledger.derived.allSatisfy { $0.slot.arm == $0.derived })
        #expect(AllocationDesign(json: ledger.contents.design.json) == hidden)
        #expect(!String(decoding: try #require(readFile(file)), as: UTF8.self).contains("[4,6]"))
        #expect(writeFile(Ledger.text(of: [4]), to: path + "/blocks"))
        #expect(kind { () throws(LedgerFailure) in _ = try Ledger(at: path) } == .damaged)
    }

    @Test func `a slot says who asked, and the last line has the head`() throws {
        try create()
        _ = try Ledger(at: path).assign("P01", ["female"], at: Self.time, by: "anna@lab-1")
        let contents = try Ledger(at: path).contents
        #expect(contents.slots.map(\.askedBy) == ["anna@lab-1"] && contents.sums.count == 2)
        _ = try Ledger(at: path).assign("P02", ["male"], at: Self.time)
        let later = try Ledger(at: path).contents
        #expect(later.sums.prefix(2) == contents.sums[...] && later.slots[1].askedBy == nil)
        let text = String(decoding: try #require(readFile(file)), as: UTF8.self)
        #expect(text.split(separator: "\n")[2].contains("\"previous\":\"\(contents.sums[1])\""))
    }

    @Test func `a secret that others can read is refused`() throws {
        try create()
        let ledger = try Ledger(at: path)
        #expect(unsafe chmod(path, 0o755) == 0)
        _ = try ledger.assign("P01", ["female"], at: Self.time)
        #expect(unsafe chmod(path + "/secret", 0o644) == 0)
        #expect(kind { () throws(LedgerFailure) in _ = try Ledger(at: path) } == .damaged)
        // Nobody gets through the folder.
        #expect(unsafe chmod(path, 0o700) == 0)
        _ = try Ledger(at: path)
    }

    @Test func `a line that was cut off is told, and replaced`() throws {
        try create()
        let ledger = try Ledger(at: path)
        _ = try ledger.assign("P01", ["female"], at: Self.time)
        let whole = try #require(readFile(file))
        for cut in [1, 20, 60] {
            let lost = Array(
                #"{"arm":"music","levels":["male"],"participant":"P02","previous":"00"#.utf8.prefix(cut))
            #expect(writeFile(whole + lost, to: file))
            #expect(try Ledger(at: path).isTorn)
            #expect(try Ledger(at: path).contents.slots.count == 1)
            #expect(try ledger.assign("P02", ["male"], at: Self.time).number == 2)
            #expect(try !Ledger(at: path).isTorn)
        }
    }

    @Test func `a line that was changed, left out or put elsewhere is named`() throws {
        try create()
        let ledger = try Ledger(at: path)
        for number in 1...4 { _ = try ledger.assign("P0\(number)", ["female"], at: Self.time) }
        let text = String(decoding: try #require(readFile(file)), as: UTF8.self)
        let lines = text.split(separator: "\n").map(String.init)
        let swapped = [lines[0], lines[2], lines[1]] + lines[3...]
        let changed = [lines[0], lines[1].replacing("P01", with: "P09")] + lines[2...]
        for (broken, line) in [
            (swapped, 2), (changed, 3), ([lines[0]] + lines[2...], 2), (lines + ["{}"], 6),
        ] {
            #expect(writeFile(Array((broken.joined(separator: "\n") + "\n").utf8), to: file))
            do throws(LedgerFailure) {
                _ = try ledger.assign("P05", ["female"], at: Self.time)
                Issue.record("taken: line \(line)")
            } catch {
                #expect(error.kind == .damaged && error.description.contains("line \(line) "), "\(error)")
            }
        }
    }

    @Test func `another secret, another design and another folder are refused`() throws {
        try create()
        let ledger = try Ledger(at: path)
        #expect(
            kind { () throws(LedgerFailure) in try ledger.mustBe(of: design(.blocks([4]), by: ["sex"])) }
                == nil)
        #expect(
            kind { () throws(LedgerFailure) in try ledger.mustBe(of: design(.blocks([4, 6]), by: ["sex"])) }
                == .damaged)
        var other = design(.blocks([4]), by: ["sex"])
        other.allocation.commitment = String(repeating: "0", count: 64)
        #expect(kind { () throws(LedgerFailure) in try ledger.mustBe(of: other) } == .damaged)
        #expect(kind { () throws(LedgerFailure) in _ = try Ledger(at: path + "-elsewhere") } == .unreachable)
        #expect(
            kind { () throws(LedgerFailure) in
                try Ledger.create(at: path, for: other, secret: secret, time: Self.time)
            } == .usage)
        #expect(writeFile(Array(String(repeating: "00", count: 32).utf8), to: path + "/secret"))
        #expect(kind { () throws(LedgerFailure) in _ = try Ledger(at: path) } == .damaged)
    }

    @Test func `who is told an arm is written down, and after revealing nobody is allocated`() throws {
        try create()
        let ledger = try Ledger(at: path)
        let slot = try ledger.assign("P01", ["female"], at: Self.time)
        #expect(try ledger.unblind("P01", by: "Dr. A", because: "rash", at: Self.time) == slot)
        #expect(
            kind { () throws(LedgerFailure) in
                _ = try ledger.unblind("P02", by: "Dr. A", because: "rash", at: Self.time)
            } == .usage)
        let revealed = try ledger.reveal(at: Self.time)
        #expect(
            revealed.slots.map(\.derived) == [slot.arm as Identifier?]
                && revealed.secret == hexadecimal(secret))
        #expect(
            kind { () throws(LedgerFailure) in _ = try ledger.assign("P02", ["male"], at: Self.time) }
                == .damaged)
        let contents = try Ledger(at: path).contents
        #expect(contents.unblindings.map(\.reason) == ["rash"] && contents.revealed == Self.time)
        #expect(try ledger.assign("P01", ["female"], at: Self.time) == slot)
    }

    @Test func `a corrected answer counts from then on, and what was said before stays`() throws {
        try create(design(.minimisation(.init(weights: [1], probability: 1)), by: ["sex"]))
        let ledger = try Ledger(at: path)
        let first = try ledger.assign("P01", ["female"], at: Self.time)
        let told = try ledger.correct("P01", by: "Dr. A", because: "a slip", at: Self.time) { _ in ["male"] }
        #expect(told.before == ["female"])
        // With the wrong answer, the first man would be a draw.
        let man = try ledger.assign("P02", ["male"], at: Self.time)
        #expect(man.arm != first.arm)
        for number in 3...9 {
            _ = try ledger.assign("P0\(number)", [number % 3 == 0 ? "male" : "female"], at: Self.time)
            if number == 5 {
                _ = try ledger.correct("P04", by: "B", because: "a slip", at: Self.time) { _ in ["male"] }
            }
        }
        let opened = try Ledger(at: path)
        #expect(opened.derived.allSatisfy { $0.derived == $0.slot.arm })
        #expect(opened.contents.slots.first?.levels == ["female"])
        #expect(opened.contents.correctedLevels(of: "P01") == ["male"])
        #expect(opened.contents.correctedLevels(of: "P02") == nil)
    }

    @Test func `corrections leave blocks as they were dealt`() throws {
        try create()
        let ledger = try Ledger(at: path)
        var course = AllocationCourse(design(.blocks([4]), by: ["sex"]), secret: secret)
        for number in 1...8 {
            let slot = try ledger.assign("P0\(number)", ["female"], at: Self.time)
            #expect(slot.arm == course.next(["female"]))
            course.record(["female"], in: slot.arm)
            _ = try ledger.correct("P0\(number)", by: "A", because: "a slip", at: Self.time) { _ in ["male"] }
        }
        #expect(try Ledger(at: path).derived.allSatisfy { $0.derived == $0.slot.arm })
    }

    @Test func `who was allocated in error is said once, and stays in the ledger`() throws {
        try create()
        let ledger = try Ledger(at: path)
        _ = try ledger.assign("P01", ["female"], at: Self.time)
        _ = try ledger.correct("P01", by: "A", because: "too young", at: Self.time, levels: nil)
        #expect(try Ledger(at: path).contents.allocatedInError == ["P01"])
        for code in ["P01", "P02"] {
            #expect(
                kind { () throws(LedgerFailure) in
                    _ = try ledger.correct(code, by: "A", because: "too young", at: Self.time, levels: nil)
                } == .usage)
        }
        #expect(
            kind { () throws(LedgerFailure) in
                _ = try ledger.correct("P01", by: "A", because: "a slip", at: Self.time) { $0 }
            } == .usage)
        #expect(try Ledger(at: path).contents.slots.count == 1)
    }

    @Test func `only its owner can read it`() throws {
        try create()
        for (name, mode) in [("", "700"), ("/secret", "600"), ("/ledger.jsonl", "600")] {
            #expect(unsafe system("test $(stat -c %a \(path)\(name)) = \(mode)") == 0)
        }
    }

    @Test func `file systems of networks are known by their numbers`() {
        #expect(NetworkFileSystem.name(ofType: 0x6969) == "NFS")
        #expect(NetworkFileSystem.name(ofType: 0xFF53_4D42) == "CIFS")
        #expect(NetworkFileSystem.name(ofType: Int(Int32(bitPattern: 0xFF53_4D42))) == "CIFS")
        // ext4, XFS, Btrfs, tmpfs, overlay, ZFS.
        for local in [0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0x794C_7630, 0x2FC1_2FC1] {
            #expect(NetworkFileSystem.name(ofType: local) == nil)
        }
    }
}
