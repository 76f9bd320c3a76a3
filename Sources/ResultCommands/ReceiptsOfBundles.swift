import Platform
import Results
import StudyModel
import TextFormat
import TransparencyLog

/// The receipts beside bundles, each folder read once.
final class ReceiptsOfBundles {
    private var filed: [String: [String: [DeliveryReceipt.Filed]]] = [:]
    private var valid: [String: [(DeliveryReceipt.Filed, time: String)]] = [:]
    /// The keys of each store.
    private var keys: [String: Set<String>] = [:]

    /// The receipts that hold, after ``problems(at:)`` has looked at them.
    func valid(of bundle: String) -> [(DeliveryReceipt.Filed, time: String)] { valid[bundle] ?? [] }

    /// What receipts say against a bundle.
    func problems(at bundle: String) -> [String] {
        guard let manifest = Manifest.atHand(bundle) else { return [] }
        let folder = bundle.lastIndex(of: "/").map { String(bundle[..<$0]) } ?? "."
        var problems: [String] = []
        do throws(FileFailure) {
            if filed[folder] == nil { filed[folder] = try DeliveryReceipt.filed(beside: bundle) }
            let own = filed[folder]?[manifest.runUUID] ?? []
            let sums = own.isEmpty ? "" : try Folder(bundle).digest(of: Sums.fileName).sha256
            for one in own {
                let store = printable(String(one.store.prefix(200)))
                guard let receipt = one.receipt else {
                    problems.append("the receipt of \(store) is not signed as it says")
                    continue
                }
                keys[one.store, default: []].insert(one.key)
                // Clocks of two machines differ, but not by a day.
                let early = DeliveryReceipt(
                    run: "", sums: "", secondsSince1970: Int(manifest.run.wallClock.seconds) - 86_400)
                if receipt.sums != sums {
                    problems.append(
                        "\(store) keeps another bundle of this run, as its receipt of \(receipt.time) says")
                } else if receipt.time < early.time {
                    problems.append("the receipt of \(store), of \(receipt.time), is older than the run")
                } else {
                    valid[bundle, default: []].append((one, receipt.time))
                }
            }
        } catch {
            problems.append("its receipts cannot be read: \(error)")
            filed[folder] = [:]
        }
        return problems
    }

    /// What a person should know of the stores.
    var remarks: [String] {
        keys.filter { $0.value.count > 1 }.keys.sorted().map {
            "The receipts of \(printable(String($0.prefix(200)))) are signed with several keys. Is each of them its own?"
        }
    }
}
