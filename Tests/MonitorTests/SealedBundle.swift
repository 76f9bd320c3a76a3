import HTTPTypes
import Hashing
import Platform
import Results
import Testing
import TextFormat

@testable import Monitor

/// A bundle as its files, with sums of their own.
struct SealedBundle {
    var run: String
    var files: [String: [UInt8]]

    var sums: [UInt8] {
        Sums(digests: files.mapValues { SHA256.hexadecimal(of: $0) }).encoded()
    }
    var name: KeptBundles.Name { .init(run: run, sums: SHA256.hexadecimal(of: sums)) }
    var address: String { "/api/bundles/\(run)/\(name.sums)" }
    /// What is sent, the sums first.
    var sent: [(file: String, bytes: [UInt8])] {
        [("SHA256SUMS", sums)] + files.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// A bundle whose steps are gone, of a real manifest and result.
    init(run: String = "9E5C4C57-3F0A-4D53-9C3B-2F1A7A9D0C11", participant: String = "P01") throws {
        let golden =
            String("\(#filePath)".dropLast("MonitorTests/SealedBundle.swift".count))
            + "ResultsTests/Golden"
        let folder = try Folder(golden)
        var result = try JSON(parsing: folder.read("bundle-result.json"))
        result = result.replacing("results", with: [])
        let bytes = result.encoded()
        let manifest = try JSON(parsing: folder.read("bundle-manifest.json"))
            .replacing("runUUID", with: .text(run)).replacing("participant", with: .text(participant))
            .replacing(
                "files",
                with: [
                    [
                        "bytes": .integer(bytes.count), "contentType": "application/json",
                        "path": "result.json", "sha256": .text(SHA256.hexadecimal(of: bytes)),
                    ]
                ])
        self.run = run
        files = ["manifest.json": manifest.encoded(), "result.json": bytes]
    }
}

/// Sends the files in pieces, and seals.
func deliver(
    _ bundle: SealedBundle, by browser: Browser, pieces: Int = 1000, headers: HTTPFields = [:]
) async throws -> Browser.Answer {
    for (file, bytes) in bundle.sent {
        for offset in stride(from: 0, to: max(bytes.count, 1), by: pieces) {
            let answer = try await browser.ask(
                .post, "\(bundle.address)/file?path=\(file)&offset=\(offset)",
                Array(bytes.dropFirst(offset).prefix(pieces)), headers: headers)
            #expect(answer.status == .ok, "\(answer.text)")
        }
    }
    return try await browser.ask(.post, bundle.address + "/seal", headers: headers)
}

extension JSON {
    /// The object with another value for one of its members.
    fileprivate func replacing(_ name: String, with value: JSON) -> JSON {
        guard case .object(var members) = self else { return self }
        members[name] = value
        return .object(members)
    }
}
