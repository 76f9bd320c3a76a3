import Platform
import Synchronization
import TextFormat
import TransparencyLog

extension KeptBundles {
    /// The file with the key, beside the database.
    private static let keyName = "receipt-key"

    /// What the monitor signs for a bundle that was just compared with its sums.
    func receipt(for name: Name, at seconds: Double) async throws(Refusal) -> JSON {
        try await apart { () throws(FileFailure) in
            let home = try Folder("\(path)/..")
            let key = try known.key.withLock { key throws(FileFailure) in
                if key == nil {
                    let new = LogKey(secret: randomBytes(32), of: "monitor")
                    key = try LogKey.kept(at: Self.keyName, in: home, new: new)
                }
                return key
            }
            let receipt = DeliveryReceipt(run: name.run, sums: name.sums, secondsSince1970: Int(seconds))
            guard let signed = key.flatMap({ receipt.signed(by: $0) }) else {
                throw FileFailure("read", "\(home.name)/\(Self.keyName)", .malformed("it is no key"))
            }
            return .success(["kept": true, "key": .text(signed.key), "receipt": .text(signed.note)])
        }
    }
}
