import ArgumentParser
import BundleReplay
import Console
import Datasets
import MonitorClient
import Participants
import Platform
import Results
import Signals
import Sound
import TextFormat
import TransparencyLog

package struct Deliver: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deliver",
        abstract: "Sends sealed bundles to a monitor or to S3, and the messages that a monitor missed.",
        discussion: """
            Each bundle is kept there once, with everything that is in it, when each file is as its sum says. \
            If the way breaks, give the same command again: what has arrived is not sent again. Bundles of \
            participants who have withdrawn are not sent. If the monitor needs a token, put it into the \
            environment variable ENTRAIN_MONITOR_TOKEN.

            For S3 the environment variables AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION are \
            needed, and for a store of somebody else's AWS_ENDPOINT_URL.

            The exit code is 65 if a bundle is damaged or was refused, and 69 if the server cannot be reached.
            """)

    @Argument(help: "The folder with result bundles, at any depth.", completion: .directory)
    var output: String

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp("The monitor's address, or s3://BUCKET/FOLDER.", valueName: "url"))
    var address: String

    @Flag(help: "Compare what is there with the sums, too, and send again what is not as they say.")
    var check = false

    @OptionGroup var tokens: TokenOptions

    func validate() throws {
        if !Bucket.isAddress(address) { try MonitorOptions.validate(address, as: "--to") }
    }

    func run() async throws {
        Interruption.ignoreBrokenPipes()
        try await reporting {
            var search = BundleSearch(known: [])
            if Bucket.isAddress(address) {
                let delivery = try BucketDelivery(to: try bucket())
                try search.look(in: output)
                if search.bundles.isEmpty { sayNothing() }
                // A store of somebody else signs nothing, so the lab's own key says what it was told.
                return try await deliver(search, signsItself: true) { bundle, _ throws(FileFailure) in
                    try await delivery.deliver(bundle, isChecking: check)
                }
            }
            let token = try tokens.token(in: MonitorOptions.tokenVariable, for: address)
            guard let monitor = MonitorAddress(address, token: token) else { return }
            try search.look(in: output)
            let outcomes = try await MonitorLink.deliver(spoolsIn: output, to: monitor)
            if outcomes.isEmpty, search.bundles.isEmpty { sayNothing() }
            for (run, outcome) in outcomes.sorted(by: { $0.key < $1.key }) {
                guard outcome.left == 0 else {
                    throw StudyFailure(
                        "the monitor cannot be reached: \(outcome.problem ?? "no answer")", .missing)
                }
                let refused = outcome.refused > 0 ? ", but for what it refused: \(outcome.problem ?? "")" : ""
                Output.say("Delivered the messages of \(run)\(refused)")
            }
            let delivery = try BundleDelivery(to: monitor)
            try await deliver(search) { bundle, hasReceipt throws(FileFailure) in
                try await delivery.deliver(bundle, isChecking: check || !hasReceipt)
            }
        }
    }

    private func bucket() throws -> Bucket {
        do throws(Bucket.Problem) {
            return try Bucket(address, variable: environmentVariable)
        } catch {
            throw StudyFailure(error.description, .usage)
        }
    }

    private func sayNothing() { Output.say("There is nothing to deliver in '\(output)'.") }

    /// Sends the bundles that were found, one by one.
    private func deliver(
        _ search: BundleSearch, signsItself: Bool = false,
        send: (_ bundle: String, _ hasReceipt: Bool) async throws(FileFailure) -> BundleDelivery.Outcome
    ) async throws {
        var known = 0
        var remarks: Set<String> = []
        var problems = search.leftOut.damaged.map { "\(printable($0.path)): \(printable($0.reason))" }
        for path in search.bundles.sorted() {
            var outcome: BundleDelivery.Outcome
            do throws(FileFailure) {
                let run = try Manifest(ofBundle: path).runUUID
                let hasReceipt = DeliveryReceipt.isFiled(run, from: address, beside: path)
                outcome = try await send(path, hasReceipt)
                let receipt =
                    signsItself && (check || !hasReceipt)
                    ? try Self.ownReceipt(for: outcome, of: run, at: path) : outcome.receipt
                if let receipt { file(receipt, of: run, beside: path, &remarks) }
            } catch {
                outcome = .refused(error.description)
            }
            switch outcome {
            case .delivered(let bytes, _): Output.say("Delivered \(printable(path)), \(bytes) bytes")
            case .known: known += 1
            case .refused(let reason): problems.append("\(printable(path)): \(reason)")
            case .away(let reason):
                throw StudyFailure("the bundles cannot be delivered: \(reason)", .missing)
            }
        }
        if known > 0 { Output.say("\(counted(known, "bundle")) had been delivered before.") }
        for path in search.leftOut.unsealed {
            Output.remark("not sealed, not delivered: \(printable(path))")
        }
        for remark in remarks.sorted() { Output.remark("\(remark)") }
        for problem in problems { Output.complain("not delivered: \(problem)") }
        if !problems.isEmpty { throw ExitCode.badData }
    }

    /// A bundle is delivered, also if its receipt cannot be written.
    private func file(
        _ receipt: DeliveryReceipt.Signed, of run: String, beside path: String, _ remarks: inout Set<String>
    ) {
        do throws(FileFailure) {
            if try DeliveryReceipt.file(receipt, of: run, from: address, beside: path) {
                remarks.insert("\(printable(address)) signs with another key than before")
            }
        } catch {
            remarks.insert("Receipts could not be put beside the bundles: \(error)")
        }
    }

    /// A receipt by the key of the folder's log; `nil` if it has no log, or if the store does not have the bundle.
    private static func ownReceipt(
        for outcome: BundleDelivery.Outcome, of run: String, at path: String
    ) throws(FileFailure) -> DeliveryReceipt.Signed? {
        switch outcome {
        case .refused, .away: return nil
        case .delivered, .known: break
        }
        guard let key = try ResultsLog.signer(in: "\(path)/..") else { return nil }
        let sums = try Folder(path).digest(of: Sums.fileName).sha256
        return DeliveryReceipt(run: run, sums: sums, secondsSince1970: Int(wallSeconds())).signed(by: key)
    }
}
