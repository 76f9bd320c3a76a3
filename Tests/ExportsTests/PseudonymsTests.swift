import Hashing
import Results
import Testing

@testable import Datasets
@testable import Deidentifying
@testable import Exports

@Suite struct PseudonymsTests {
    let key = SHA256.digest(of: Array("entrain test key".utf8))

    private func pseudonyms(_ key: [UInt8]) throws -> Pseudonyms { try #require(Pseudonyms(key: key)) }

    @Test func `are always the same under a key, and others under another`() throws {
        let mine = try pseudonyms(key)
        // Computed with Python's hmac: 'entrain participant P01', each half byte a letter of 'bcdfghjkmnpqrtvw'.
        #expect(mine.code(of: "P01") == "tpghhqckvvthbhkrdgnb")
        #expect(mine.code(of: "P01") != mine.code(of: "P02"))
        #expect(try pseudonyms(key.reversed()).code(of: "P01") != mine.code(of: "P01"))
    }

    @Test func `refuse a key that could be tried out`() {
        #expect(Pseudonyms(key: [UInt8](repeating: 1, count: 15)) == nil)
        #expect(Pseudonyms(key: []) == nil)
        for guessed in [
            "passwordpassword", "1234567890123456", "qwertzuiopasdfgh", "abcdefghabcdefghabcdefgh",
            "correct horse battery staple",
            String(repeating: "x", count: 1000),
        ] {
            #expect(Pseudonyms(key: Array(guessed.utf8)) == nil, "\(guessed.prefix(30))")
        }
        #expect(Pseudonyms(key: [UInt8](0..<32)) == nil)
    }

    @Test(arguments: 0..<200 as Range<UInt64>) func `take keys of chance, as bytes or as text`(seed: UInt64) {
        let chance = SHA256.digest(of: Array("\(seed)".utf8))
        #expect(Pseudonyms(key: Array(chance.prefix(16))) != nil)
        #expect(Pseudonyms(key: Array(SHA256.hexadecimal(digest: chance).utf8)) != nil)
    }

    @Test func `hold no letter or digit that codes have by chance`() throws {
        let mine = try pseudonyms(key)
        for number in 0..<200 {
            let code = mine.code(of: "P\(number)")
            #expect(code.utf8.count == 20)
            #expect(!code.contains { "aeiouy0123456789".contains($0) || $0.isUppercase })
            #expect(mine.uuid(of: "P\(number)").allSatisfy { $0.isNumber || $0 == "-" })
            #expect((1...364).contains(mine.days(of: "P\(number)")))
        }
    }

    @Test func `moves dates by whole days and keeps the time of day`() {
        #expect(DateShift(days: 1).date("2026-01-01T09:00:11+0130") == "2025-12-31T09:00:11+0130")
        #expect(DateShift(days: 364).date("2024-02-29T23:59:59-0800") == "2023-03-02T23:59:59-0800")
        #expect(DateShift(days: 1).stamp("20240301000000") == "20240229000000")
        #expect(DateShift(days: 1).date("2026-01-01") == nil)
        #expect(DateShift(days: 1).stamp("2024") == nil)
    }

    @Test(
        arguments: [
            ("Call me P-01!", "Call me aa!"), ("p-01 wrote", "aa wrote"), ("xP-01x", "xaax"),
            ("P-012 is another", "bb is another"), ("7 of 77, 7.", "cc of 77, cc."),
            ("Zoë ZOË zoe\u{308}", "dd dd dd"),
            ("vm is a machine, vmx is not", "removed is a machine, vmx is not"),
            ("nothing here", "nothing here"),
        ])
    func `takes codes out of texts`(text: String, cleaned: String) {
        var forbidden = ForbiddenTexts(
            ["P-01": "aa", "P-012": "bb", "7": "cc", "Zoë": "dd"], machine: "vm")
        #expect(forbidden.clean(text) == cleaned)
        #expect(forbidden.clean(text) == cleaned)
    }

    @Test func `sees a code in any byte, but not one that stands everywhere by chance`() {
        let forbidden = ForbiddenTexts(["P01": "aa", "42": "bb"], machine: nil)
        #expect(forbidden.first(in: Array("\0\u{1}xp01y".utf8)) == "p01")
        #expect(forbidden.first(in: Array("P0 1 42".utf8)) == nil)
        #expect(forbidden.first(in: []) == nil)
    }

    @Test func `a code of letters may be part of a word of the format, but not stand alone`() {
        let forbidden = ForbiddenTexts(["ann": "aa"], machine: nil)
        #expect(forbidden.first(in: Array("<channel>".utf8)) == nil)
        #expect(forbidden.first(in: Array("sub-ann_ses".utf8)) == "ann")
    }

    @Test func `codes that differ in capitals alone stay apart`() {
        var forbidden = ForbiddenTexts(["P01": "aa", "p01": "bb"], machine: nil)
        #expect(forbidden.clean("P01") == "aa")
        #expect(forbidden.clean("p01") == "bb")
    }

    @Test(
        arguments: [
            ("cannot open /home/anna/x.csv: no", "cannot open removed no"), ("~/study/a", "removed"),
            ("path=/tmp/x", "removed"), (#"C:\Users\anna"#, "removed"), (#"\\server\share"#, "removed"),
            ("http://lab:8080/hr refused", "removed refused"), ("anna@lab.example", "removed"),
            ("strap C4:2A:11:0F:9E:01 lost", "strap removed lost"),
            ("from 192.168.1.20:9000", "from removed"),
            ("file:/etc/passwd", "removed"),
            ("from 192.168.1.20.", "from removed."), ("192.168.1.20/24", "removed"),
            ("strap-192.168.1.20_b", "strap-removed_b"), ("at fe80::1ff:fe23:4567:890a.", "at removed."),
            ("2001:db8:1:2:3:4:5:6%eth0", "removed%eth0"), ("a-E5-46-1B-C9-0B-D3", "a-removed"),
            ("“/home/anna/x”", "removed"), ("../../home/anna", "removed"), ("~anna/x", "removed"),
            ("日本/home/x", "removed"), (#"x \Users\anna"#, "x removed"),
        ])
    func `takes paths and addresses out of texts`(text: String, cleaned: String) {
        #expect(PrivatePlaces.removed(from: text) == cleaned)
    }

    @Test(
        arguments: [
            "count/min", "and/or", "1/min", "a: b", "12:30:15", "half - way", "3.5.1", "music/calm.ogg", "/",
            "@",
            "2026-01-01", "10 °/min/kg", "m²/s/kg", "std::dec", "1.2.3.4.5", "Café/klasik/a.ogg",
            "../Media/x.ogg",
            #"a\b"#, "10:20:30",
        ])
    func `leaves other texts alone`(text: String) {
        #expect(PrivatePlaces.removed(from: text) == text)
    }

    @Test(
        arguments: [
            ("on 2026-01-31 at noon", "on removed at noon"), ("31.1.2026", "removed"),
            ("1/31/2026", "removed"),
            ("run_20260131.csv", "run_removed.csv"), ("20260131093000", "removed"), ("2026/01/31", "removed"),
            ("0f0e0d0c-1111-4222-8333-944455556666!", "removed!"),
            ("pc.uni-bonn.de is off", "removed is off"),
            ("heart.local", "removed"), ("lab-7.example.org:80", "removed:80"),
            ("“pc.uni-bonn.de”", "“removed”"), ("日本pc.uni-bonn.de語", "removed語"),
            ("rest.pc.uni-bonn.de.inner", "removed.inner"), ("31. 1. 2026", "removed"),
            ("2026 - 01 - 31", "removed"), ("２０２６-０１-３１", "removed"), ("2026–01–31", "removed"),
            ("2026年1月31日", "removed日"), ("20\u{200b}26-01-31", "removed"), ("99-12-31", "removed"),
            ("2026:01:31 09:30", "removed 09:30"), ("202601310930", "removed"), ("1769850000", "removed"),
            ("1769850000123", "removed"), ("2026-W05-6", "removed"), ("2026W056", "removed"),
            ("2026-031", "removed"), ("٢٠٢٦-٠١-٣١", "removed"),
        ])
    func `takes days, UUIDs and names of machines out of texts`(text: String, cleaned: String) {
        #expect(PrivateTimes.removed(from: text, hidesDates: true) == cleaned)
    }

    @Test(
        arguments: [
            "listening.rest", "listening.hr", "calm01.ogg", "3.5.1", "12345678", "99.99.9999", "2026",
            "1-2-3",
            "a.b.c", "music/calm.v2.ogg", "10 - 12 - 14", "1. 2. 3", "123456789", "9876543210", "2026-1",
            "practice.test.mean", "1990–2000",
        ])
    func `leaves names of steps, clips and numbers alone`(text: String) {
        #expect(PrivateTimes.removed(from: text, hidesDates: true) == text)
    }

    @Test func `a subject's label depends on the code alone`() {
        let label = RunNames.label(of:)
        #expect(label("P01") == "P01")
        #expect(label("p01") != "p01" && label("p01").hasPrefix("p01x"))
        #expect(Set(["P01", "p01", "P-01", "P 01", "日本", ""].map { label($0).lowercased() }).count == 6)
    }
}
