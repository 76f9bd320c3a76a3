import Glibc
import Platform
import StudyTesting
import Testing
import TransparencyLog

/// What a store signed for a bundle, kept beside it.
@Suite struct DeliveryReceiptTests {
    private let folder = TemporaryFolder()
    private let key = LogKey(secret: [UInt8](1...32), of: "monitor")
    private let receipt = DeliveryReceipt(run: "RUN", sums: "00ff", secondsSince1970: 1_700_000_000)

    private func file(_ signed: DeliveryReceipt.Signed, of run: String = "RUN") throws -> Bool {
        try DeliveryReceipt.file(signed, of: run, from: "https://lab", beside: "\(folder.path)/RUN")
    }

    private var filed: [DeliveryReceipt.Filed] {
        get throws { try DeliveryReceipt.filed(beside: "\(folder.path)/RUN")["RUN"] ?? [] }
    }

    init() throws { try Folder(folder.path).makeFolder("RUN") }

    @Test func `a receipt is read as it was filed, whichever of the store's keys signed it`() throws {
        #expect(try filed == [])
        #expect(receipt.time == "2023-11-14T22:13:20Z")
        let signed = try #require(receipt.signed(by: key))
        #expect(
            signed.note.hasPrefix("entrain receipt\nRUN\n00ff\n2023-11-14T22:13:20Z\n\n— entrain/monitor/"))
        #expect(try file(signed) == false)
        #expect(try filed.map(\.store) == ["https://lab"] && filed[0].receipt == receipt)
        #expect(DeliveryReceipt.isFiled("RUN", from: "https://lab", beside: "\(folder.path)/RUN"))
        #expect(!DeliveryReceipt.isFiled("RUN", from: "https://other", beside: "\(folder.path)/RUN"))
        let other = LogKey(secret: [UInt8](2...33), of: "monitor")
        #expect(try file(try #require(receipt.signed(by: other))), "the store has another key now")
        #expect(try filed.first?.receipt == receipt)
    }

    @Test func `what the store did not sign is not taken`() throws {
        var signed = try #require(receipt.signed(by: key))
        #expect(throws: FileFailure.self) { try file(signed, of: "OTHER") }
        signed.note = signed.note.replacing("00ff", with: "00fe")
        #expect(throws: FileFailure.self) { try file(signed) }
        _ = try file(try #require(receipt.signed(by: key)))
        let name = try #require(try Folder("\(folder.path)/.receipts").files().first { $0.hasPrefix("RUN.") })
        #expect(unsafe system("sed -i s/00ff/00fe/ \(folder.path)/.receipts/\(name)") == 0)
        #expect(try filed.map(\.store) == ["https://lab"] && filed[0].receipt == nil)
    }
}
