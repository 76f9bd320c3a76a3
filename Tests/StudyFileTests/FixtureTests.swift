import Glibc
import StudyFile
import Testing

@Suite struct FixtureTests {
    @Test(arguments: Fixture.all("valid"))
    func `a valid fixture is a study without validationError`(fixture: Fixture) throws {
        let parsed = parse(try fixture.text())
        let found = parsed.diagnostics.filter { $0.code != .otherReaders }
        #expect(found.isEmpty, "\(found.rendered(isColoured: false))")
        #expect(parsed.study != nil)
    }

    @Test(arguments: Fixture.all("invalid"))
    func `an invalid fixture is refused`(fixture: Fixture) throws {
        let text = try fixture.text()
        #expect(text.hasPrefix("# schema: agrees\n") || text.hasPrefix("# schema: cannot say\n"))
        #expect(parse(text).study == nil)
    }

    @Test func `the schema is the golden one, and made the same at every call`() throws {
        try expectGolden(StudySchema.text, "study.schema.json")
        #expect(StudySchema.text == StudySchema.text)
    }

    @Test func `there are fixtures`() {
        #expect(Fixture.all("valid").count > 50 && Fixture.all("invalid").count > 100)
    }
}

/// A file beside the tests.
struct Fixture: CustomTestStringConvertible, Sendable {
    var path: String
    var testDescription: String { String(path.split(separator: "/").suffix(1).joined()) }

    static func all(_ kind: String) -> [Fixture] {
        let folder = testFolder + "Fixtures/" + kind
        guard let directory = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe String(cString: UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
            }
            if name.hasSuffix(".yaml") { names.append(name) }
        }
        return names.sorted().map { Fixture(path: folder + "/" + $0) }
    }

    struct Unreadable: Error { var path: String }

    func text() throws -> String {
        guard let file = unsafe fopen(path, "r") else { throw Unreadable(path: path) }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        var byte = unsafe getc(file)
        while byte != EOF {
            bytes.append(UInt8(truncatingIfNeeded: byte))
            byte = unsafe getc(file)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The folder of these tests, ending with a slash.
let testFolder =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    .joined(separator: "/") + "/"

/// Expects a text to be that of a file in `Golden`; `UPDATE_GOLDEN=1` writes the file instead.
func expectGolden(
    _ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let path = testFolder + "Golden/" + name
    if unsafe getenv("UPDATE_GOLDEN") != nil {
        guard let file = unsafe fopen(path, "w") else { throw Fixture.Unreadable(path: path) }
        unsafe fputs(text, file)
        unsafe fclose(file)
    }
    let golden = try Fixture(path: path).text()
    #expect(text == golden, sourceLocation: sourceLocation)
}
