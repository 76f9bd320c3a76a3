import Testing

@testable import Results
@testable import TextFormat

@Suite struct JSONReaderTests {
    private func reader(_ text: String) -> JSONReader { JSONReader(Array(text.utf8)) }

    @Test(arguments: [
        "{}", "[]", "1.50", "-0", #""a\"b""#, #"{"a":[1,{"b":"}"}],"c":null}"#, "[ 1 , 2 ]", "true", #""é🎵""#,
    ])
    func `passes one value and says where it stood`(text: String) throws {
        var reader = reader(" \(text) ")
        #expect(reader.text(try reader.value()) == text)
        let hasMore = reader.hasMore
        #expect(!hasMore)
    }

    @Test(arguments: [
        "", "{", "[1,2", "\"abc", "}", ",", "\"a\\", "{1:2}", #"{"a" 1}"#, #"{"a":1 "b":2}"#, "[",
        #"{"a":1,}"#,
        "[1,]", "01x", "-", "1.", "\"\n\"", #""\x""#, #""\ud800""#, "nul", "[,1]", "+1",
    ])
    func `refuses to pass what it refuses to build`(text: String) throws {
        #expect(throws: JSON.Malformed.self) { try JSON(parsing: Array(text.utf8)) }
        #expect(throws: JSON.Malformed.self) {
            var reader = reader(text)
            try reader.value()
            while reader.hasMore { try reader.value() }
        }
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `passing and building end at the same byte`(seed: UInt64) throws {
        var random = SampleValues(seed: seed)
        var bytes = random.json(depth: 4).encoded()
        for _ in 0..<2 where seed % 2 == 1 && !bytes.isEmpty {
            bytes[random.index(below: bytes.count)] = UInt8(random.index(below: 256))
        }
        var passing = JSONReader(bytes)
        var building = JSONReader(bytes)
        do throws(JSON.Malformed) {
            _ = try building.json()
        } catch {
            // A key that stands twice is seen by who builds only.
            guard !error.problem.contains("twice"), !error.problem.contains("too large") else { return }
            let passed = #expect(throws: JSON.Malformed.self) { try passing.value() }
            #expect(passed == error)
            return
        }
        try passing.value()
        #expect(passing.position == building.position)
    }

    @Test func `walks through members and elements`() throws {
        var reader = reader(#"{"a":[1,2.50],"b":{},"c":[]}"#)
        var found: [String] = []
        try reader.enterObject()
        while let key = try reader.key() {
            guard reader.matches(key, "a") else {
                found.append(reader.text(try reader.value()))
                continue
            }
            try reader.enterList()
            while try reader.element() {
                let value = try reader.value()
                #expect(reader.isNumber(value))
                found.append(reader.text(value))
            }
        }
        #expect(found == ["1", "2.50", "{}", "[]"])
    }

    @Test func `a number is not taken from a text`() throws {
        var reader = reader(#""1""#)
        let value = try reader.value()
        #expect(reader.number(value) == nil)
        #expect(!reader.isNumber(0..<0))
    }
}
