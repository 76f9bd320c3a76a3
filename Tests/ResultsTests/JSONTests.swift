import Hashing
import Testing

@testable import Results
@testable import TextFormat

@Suite struct JSONTests {
    @Test(
        arguments: [
            (.real(72), "72.0"), (.real(0.1), "0.1"), (.real(-0.0), "-0.0"), (.real(1e20), "1.0e+20"),
            (.real(1.5e-7), "1.5e-07"), (.real(.leastNonzeroMagnitude), "5.0e-324"), (.integer(72), "72"),
            (.integer(.min), "-9223372036854775808"), (.boolean(true), "true"), (.list([]), "[]"),
            ([:], "{}"), (["b": 1, "a": [1.5, "x"]], #"{"a":[1.5,"x"],"b":1}"#),
            (.text("\u{1}\n\"\\/é🎵\u{7F}"), #""\u0001\n\"\\/é🎵\u007f""#),
        ] as [(JSON, String)])
    func `writes compact text that reads back as the same`(json: JSON, text: String) throws {
        #expect(String(decoding: json.encoded(), as: UTF8.self) == text)
        #expect(try JSON(parsing: Array(text.utf8)) == json)
    }

    @Test(arguments: [1, 7, 8, 9, 60])
    func `refuses a key that occurs twice, in objects of any size`(count: Int) throws {
        let members = (0..<count).map { "\"key \($0)\": \($0)" }
        let text = "{\(members.joined(separator: ", "))}"
        let object = try #require(try JSON(parsing: Array(text.utf8)).object)
        #expect(object.members.count == count)
        let repeated = "{\((members + ["\"key 0\": 1"]).joined(separator: ", "))}"
        #expect(throws: JSON.Malformed.self) { try JSON(parsing: Array(repeated.utf8)) }
    }

    @Test func `keeps the given order of an object beside its value`() throws {
        let given = try #require(JSON.Object([.init(key: "b", value: 1), .init(key: "a", value: 2)]))
        #expect(given.givenMembers.map(\.key) == ["b", "a"] && given.members.map(\.key) == ["a", "b"])
        let ascending = JSON.Object(["a": 2, "b": 1])
        #expect(given == ascending && given.hashValue == ascending.hashValue)
        #expect(JSON.object(given).encoded() == JSON.object(ascending).encoded())
        var changed = given
        changed["b"] = nil
        changed["c"] = 3
        changed["a"] = 4
        #expect(changed == JSON.Object(["a": 4, "c": 3]))
        #expect(
            JSON.Object([.init(key: "b", value: 1), .init(key: "a", value: 2), .init(key: "b", value: 1)])
                == nil)
    }

    @Test(
        arguments: [
            (" [ 1 , 2.5e1 ] ", [1, 25.0]), (#"{"a":null}"#, ["a": .null]),
            (#""\ud83c\udfb5\/\b\f""#, "🎵/\u{8}\u{C}"),
            ("123456789012345678901", .real(1.2345678901234568e20)),
            ("-0", 0), ("\t\"\"\r\n", ""),
        ] as [(String, JSON)])
    func `reads what others write`(text: String, json: JSON) throws {
        #expect(try JSON(parsing: Array(text.utf8)) == json)
    }

    @Test(arguments: [
        ("", 0), ("   ", 3), ("{", 1), ("[1,]", 3), ("[1 2]", 3), (#"{"a":1,"a":2}"#, 0), (#"{"a" 1}"#, 5),
        ("{1:2}", 1), ("01", 1), ("1.", 2), (".5", 0), ("+1", 0), ("1e", 2), ("1e999", 0), ("nan", 1),
        ("tru", 3), ("\"a", 2), ("\"\n\"", 1), (#""\x""#, 2), (#""\ud800""#, 7), (#""\udc00""#, 7),
        (#""\u12g4""#, 5), ("1 1", 2), ("\u{FEFF}1", 0), ("'a'", 0),
    ])
    func `refuses everything else and says where`(text: String, offset: Int) {
        let error = #expect(throws: JSON.Malformed.self) { try JSON(parsing: Array(text.utf8)) }
        #expect(error?.offset == offset)
    }

    @Test func `refuses what is not UTF-8`() {
        #expect(throws: JSON.Malformed(offset: 1, problem: "the string is not UTF-8")) {
            try JSON(parsing: [0x22, 0xFF, 0x22])
        }
    }

    @Test func `reads 64 levels and no more`() throws {
        let deep = {
            Array(repeating: UInt8(ascii: "["), count: $0) + Array(repeating: UInt8(ascii: "]"), count: $0)
        }
        #expect(try JSON(parsing: deep(64)).list != nil)
        #expect(throws: JSON.Malformed.self) { try JSON(parsing: deep(65)) }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `any value reads back as the same`(seed: UInt64) throws {
        var random = SampleValues(seed: seed)
        let json = random.json(depth: 4)
        #expect(try JSON(parsing: json.encoded()) == json)
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `damaged text is refused or read, never a crash`(seed: UInt64) {
        var random = SampleValues(seed: seed)
        var bytes = random.json(depth: 4).encoded()
        for _ in 0..<3 where !bytes.isEmpty {
            bytes[random.index(below: bytes.count)] = UInt8(random.index(below: 256))
        }
        do {
            let json = try JSON(parsing: bytes)
            #expect(try JSON(parsing: json.encoded()) == json)
        } catch {
            #expect((0...bytes.count).contains(error.offset))
        }
    }

    @Test func `objects are changed by key`() {
        var object = JSON.Object(["b": 2, "a": 1])
        object["c"] = 3
        object["a"] = nil
        object["b"] = 4
        #expect(JSON.object(object) == ["b": 4, "c": 3])
        #expect(JSON.Object([.init(key: "a", value: 1), .init(key: "a", value: 2)]) == nil)
    }
}

@Suite struct SHA256Tests {
    /// Source: NIST, SHA-256 example values; the stream seed by Python's hashlib.
    @Test func `gives the published digests`() {
        #expect(
            SHA256.hexadecimal(of: []) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(
            SHA256.hexadecimal(of: "abc")
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(SHA256.streamSeed(of: "abc") == 0xba78_16bf_8f01_cfea)
    }

    @Test func `takes its bytes in pieces`() {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        for cut in [0, 1, 63, 64, 65, 999, 1000] {
            var hash = SHA256()
            hash.update(Array(bytes[..<cut]))
            hash.update(Array(bytes[cut...]))
            #expect(hash.finish() == SHA256.digest(of: bytes))
        }
    }
}
