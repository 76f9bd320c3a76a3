import Glibc
import Platform
import StudyTesting
import Testing

@testable import Results

/// Judges that are not ours: ResearchKit's accepted keys, and the sums by coreutils.
@Suite struct ConformanceTests {
    private let place = TemporaryFolder()

    private static let checker: String = {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return "/\(root)/../shared/conformance/researchkit/check_ork_result.py"
    }()

    @Test(.enabled(if: readFile(checker) != nil, "the conformance checker is not beside the repository"))
    func `ResearchKit would read every result`() throws {
        let bundle = "\(place.path)/\(try Runs.whole(in: place.path, .unsynced))"
        #expect(try run("python3 \(Self.checker) \(bundle)/result.json \(bundle)") == "OK\n")
        for step in try Folder(bundle).names(in: "steps") {
            #expect(try run("python3 \(Self.checker) \(bundle)/steps/\(step)/result.json 2>&1") == "OK\n")
        }
    }

    @Test func `sha256sum agrees`() throws {
        let bundle = "\(place.path)/\(try Runs.whole(in: place.path, .unsynced))"
        let lines = try run("cd \(bundle) && sha256sum --strict -c SHA256SUMS").split(separator: "\n")
        #expect(lines.count == 12 && lines.allSatisfy { $0.hasSuffix(": OK") })
    }

    private func run(_ command: String) throws -> String {
        let log = place.path + "/output"
        let status = unsafe system("(\(command)) > \(log)")
        #expect(status == 0)
        return String(decoding: try #require(readFile(log)), as: UTF8.self)
    }
}
