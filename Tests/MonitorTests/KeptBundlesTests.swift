import HTTPTypes
import Logging
import MonitorInterface
import Platform
import Results
import Testing
import TextFormat
import TransparencyLog

@testable import Monitor

@Suite struct KeptBundlesTests {
    @Test func `keeps a bundle that came in pieces once, and lists it`() async throws {
        let store = try scratchStore()
        let bundle = try SealedBundle()
        try await withMonitor(store: store) { browser in
            #expect(try await browser.get(bundle.address).json == ["have": [:], "kept": false])
            #expect(try await deliver(bundle, by: browser).status == .created)
            #expect(try await browser.get(bundle.address).json["kept"] == true)
            let again = try await browser.ask(.post, bundle.address + "/seal")
            #expect(again.status == .ok)
            let key = try #require(LogKey(verifierText: again.json["key"]?.text ?? ""))
            let receipt = try #require(DeliveryReceipt(again.json["receipt"]?.text ?? "", by: key))
            #expect(receipt.run == bundle.run && receipt.sums == bundle.name.sums)
            let secret = String(decoding: try Folder(store.folder).read("receipt-key"), as: UTF8.self)
            #expect(secret.contains(key.name))
            let list = try await browser.get("/api/bundles").json
            #expect(list["arriving"] == 0 && list["bundles"]?.list?.count == 1)
            let kept = try #require(list["bundles"]?.list?.first)
            #expect(kept["run"] == .text(bundle.run) && kept["participant"] == "P01")
        }
        let folder = try Folder("\(store.folder)/bundles/\(bundle.run)")
        #expect(try folder.files(below: "").sorted() == ["SHA256SUMS", "manifest.json", "result.json"])
        for (file, bytes) in bundle.sent { #expect(try folder.read(file) == bytes) }
        #expect(try ResultBundle(at: "\(store.folder)/bundles/\(bundle.run)").verifySums() == [])
    }

    @Test func `what was damaged since is found at night, and healed by whoever has it`() async throws {
        let store = try scratchStore()
        let bundle = try SealedBundle()
        try await withMonitor(store: store) { browser in
            _ = try await deliver(bundle, by: browser)
        }
        let kept = try Folder("\(store.folder)/bundles/\(bundle.run)")
        try kept.remove("result.json")
        _ = try kept.create("result.json")
        let bundles = KeptBundles(of: store)
        await NightlyCheck(bundles: bundles, logger: Logger(label: "test"), now: { 0 }).look()
        #expect(try await bundles.list()["damaged"] == [.text(bundle.run)])
        // Sealing it once more compares it, and what is whole of it is not sent again.
        await #expect(throws: Refusal.self) { try await bundles.seal(bundle.name) }
        let whole = bundle.sent.filter { $0.file != "result.json" }.map { ($0.file, $0.bytes.count) }
        let sizes = Dictionary(uniqueKeysWithValues: whole)
        #expect(try await bundles.arrival(of: bundle.name) == .arriving(sizes))
        let bytes = try #require(bundle.files["result.json"])
        _ = try await bundles.keep(bytes, of: "result.json", at: 0, in: bundle.name)
        #expect(try await bundles.seal(bundle.name))
        #expect(try await bundles.list()["damaged"] == [])
        #expect(try await bundles.seal(bundle.name) == false)
    }

    @Test func `says what it has of a bundle, also after it began anew`() async throws {
        let store = try scratchStore()
        let bundle = try SealedBundle()
        try await withMonitor(store: store) { browser in
            _ = try await browser.ask(.post, bundle.address + "/file?path=SHA256SUMS&offset=0", bundle.sums)
            _ = try await browser.ask(
                .post, bundle.address + "/file?path=result.json&offset=0", Array("{\"a".utf8))
        }
        try await withMonitor(store: store) { browser in
            let answer = try await browser.get(bundle.address).json
            #expect(answer["have"] == ["SHA256SUMS": .integer(bundle.sums.count), "result.json": 3])
            let conflict = try await browser.ask(
                .post, bundle.address + "/file?path=result.json&offset=0", [1])
            #expect(conflict.status == .conflict)
            #expect(try await browser.get("/api/bundles").json["arriving"] == 1)
            // What came does not fit its sum: nothing of it stays, and that is counted.
            #expect(try await browser.ask(.post, bundle.address + "/seal").status == .conflict)
            #expect(try await browser.get(bundle.address).json["have"] == [:])
            let list = try await browser.get("/api/bundles").json
            #expect(list["arriving"] == 0 && list["refused"] == 1)
        }
    }

    @Test(arguments: [
        "path=manifest.json&offset=0", "path=SHA256SUMS&offset=1", "path=SHA256SUMS", "offset=0",
        "path=../monitor.sqlite&offset=0", "path=/etc/passwd&offset=0", "path=SHA256SUMS&offset=-1",
        "path=a/../../b&offset=0", "path=%2e%2e/b&offset=0", "path=&offset=0",
    ])
    func `takes no piece out of place`(query: String) async throws {
        let store = try scratchStore()
        let bundle = try SealedBundle()
        try await withMonitor(store: store) { browser in
            let answer = try await browser.ask(.post, "\(bundle.address)/file?\(query)", [1, 2, 3])
            #expect([.conflict, .unprocessableContent].contains(answer.status), "\(answer.text)")
            #expect(try await browser.get(bundle.address).json["have"] == [:])
        }
    }

    @Test func `names the files that a bundle has, and takes no others`() async throws {
        let bundle = try SealedBundle()
        try await withMonitor { browser in
            _ = try await browser.ask(.post, bundle.address + "/file?path=SHA256SUMS&offset=0", bundle.sums)
            let answer = try await browser.ask(.post, bundle.address + "/file?path=more.json&offset=0", [1])
            #expect(answer.status == .unprocessableContent)
            let wrong = try await browser.ask(
                .post, bundle.address + "/file?path=result.json&offset=0", [1],
                headers: [.contentType: "application/json"])
            #expect(wrong.status == .unsupportedMediaType)
        }
    }

    @Test func `keeps neither another bundle of a run, nor a bundle of another run`() async throws {
        let store = try scratchStore()
        let first = try SealedBundle()
        try await withMonitor(store: store) { browser in
            var bundle = first
            #expect(try await deliver(bundle, by: browser).status == .created)
            bundle.files["result.json"]? += [UInt8(ascii: "\n")]
            let other = try await browser.get(bundle.address)
            #expect(other.status == .conflict && other.text.contains("another bundle of this run"))
            // Its manifest names another run.
            bundle.run = "00000000-3F0A-4D53-9C3B-2F1A7A9D0C11"
            let foreign = try await deliver(bundle, by: browser)
            #expect(foreign.status == .unprocessableContent, "\(foreign.text)")
            #expect(try await browser.get(bundle.address).json["have"] == [:])
            bundle.files["manifest.json"] = Array("{}".utf8)
            #expect(try await deliver(bundle, by: browser).status == .unprocessableContent)
        }
        #expect(try Folder("\(store.folder)/bundles").entries().map(\.name) == [first.run])
    }

    @Test func `several who send one bundle at once leave it whole`() async throws {
        let store = try scratchStore()
        let bundle = try SealedBundle()
        let bundles = KeptBundles(of: store)
        try await withThrowingTaskGroup { group in
            for size in [700, 900, 1100, 1300] {
                group.addTask {
                    // Asks how far it is before each piece, like a sender whose answers are lost.
                    for (file, bytes) in bundle.sent {
                        while case .arriving(let have) = try await bundles.arrival(of: bundle.name),
                            have[file] ?? 0 < bytes.count
                        {
                            let offset = have[file] ?? 0
                            let path = try #require(BundlePath(file))
                            do throws(Refusal) {
                                _ = try await bundles.keep(
                                    Array(bytes.dropFirst(offset).prefix(size)), of: path, at: offset,
                                    in: bundle.name)
                            } catch { #expect(error.kind == .conflict) }
                        }
                    }
                    do { return try await bundles.seal(bundle.name) } catch { return false }
                }
            }
            var kept = 0
            for try await isNew in group where isNew { kept += 1 }
            #expect(kept == 1)
        }
        #expect(try ResultBundle(at: "\(store.folder)/bundles/\(bundle.run)").verifySums() == [])
    }

    @Test func `leaves a part of the disk to the database`() async throws {
        let bundle = try SealedBundle()
        let bundles = KeptBundles(in: scratchFolder() + "/bundles", reserve: Int.max / 2)
        await #expect(throws: Refusal(.full, "the disk of the monitor is full")) {
            try await bundles.keep(bundle.sums, of: "SHA256SUMS", at: 0, in: bundle.name)
        }
    }

    @Test func `takes bundles by tokens for sending, and lists them for tokens that read`() async throws {
        let store = try scratchStore()
        var configuration = Monitor.Configuration()
        configuration.exposure = Exposure(host: "0.0.0.0", isInsecure: true)
        let fields = try [Scope.deliver, .read, .ingest].map { scope -> HTTPFields in
            let token = try store.createToken(named: scope.rawValue, scopes: [scope], now: 0)
            return [.authorization: "Bearer \(token)"]
        }
        let bundle = try SealedBundle()
        try await withMonitor(configuration, store: store) { browser in
            #expect(try await browser.get(bundle.address).status == .unauthorized)
            #expect(try await browser.get(bundle.address, headers: fields[1]).status == .forbidden)
            for field in fields.dropFirst() {
                let refused = try await browser.ask(
                    .post, bundle.address + "/file?path=SHA256SUMS&offset=0", bundle.sums, headers: field)
                #expect(refused.status == .forbidden)
            }
            #expect(try await deliver(bundle, by: browser, headers: fields[0]).status == .created)
            #expect(try await browser.get("/api/bundles", headers: fields[0]).status == .forbidden)
            let list = try await browser.get("/api/bundles", headers: fields[1]).json
            #expect(list["bundles"]?.list?.count == 1)
        }
    }

    @Test func `deletes the bundles of one participant`() async throws {
        let store = try scratchStore()
        let mine = try SealedBundle()
        let other = try SealedBundle(run: "11111111-3F0A-4D53-9C3B-2F1A7A9D0C11", participant: "P02")
        let arriving = try SealedBundle(run: "22222222-3F0A-4D53-9C3B-2F1A7A9D0C11")
        try await withMonitor(store: store) { browser in
            for bundle in [mine, other] { _ = try await deliver(bundle, by: browser) }
            for (file, bytes) in arriving.sent.prefix(2) {
                _ = try await browser.ask(
                    .post, "\(arriving.address)/file?path=\(file)&offset=0", bytes)
            }
        }
        let kept = KeptBundles(of: store)
        #expect(Set(try kept.bundles(of: "P01").map(\.run)) == [mine.run, arriving.run])
        try kept.erase(participant: "P01")
        #expect(try Folder("\(store.folder)/bundles").entries().map(\.name) == [other.run])
        #expect(try KeptBundles(of: scratchStore()).bundles(of: "P01") == [])
    }
}
