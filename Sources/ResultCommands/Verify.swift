import ArgumentParser
import BundleReplay
import Console
import Datasets
import Participants
import Platform
import Results
import TextFormat
import TransparencyLog

package struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Checks that bundles are complete, unchanged and consistent.",
        discussion: """
            Compares the checksums of all files, compares the manifest, the study, the recordings and the \
            folder's name with the journal, makes the draws again from the seed, and replays the journal: \
            the effects and results must be the recorded ones. What recordings hold is counted and timed \
            again, and several bundles are compared with each other: no two runs have the same samples, \
            and those who took part together name each other. The exit code is 65 if anything is wrong.

            A bundle without problems is whole, which is not the same as authentic: bundles are not signed, \
            so nobody can detect one that was forged completely, with its journal, unless the log of its folder says what \
            was sealed.
            """)

    @Argument(help: "Result bundles, or folders with bundles at any depth.", completion: .directory)
    var bundles: [String]

    @Option(help: "'text' for people, 'json' for programs.")
    var format = OutputFormat.text

    func run() async throws {
        let (studies, together) = (StudiesOfBundles(), BundlesTogether())
        let search = try reporting { try BundleSearch.given(bundles) }
        for path in search.leftOut.unsealed { Output.remark("not sealed, left out: \(printable(path))") }
        var findings = search.leftOut.damaged.map { (bundle: $0.path, problems: [$0.reason]) }
        try await inOrder(search.bundles, share: 8) { bundle -> [String] in
            do throws(FileFailure) {
                return try Verification.problems(at: bundle, studies, beside: together)
            } catch {
                return [error.description]
            }
        } _: { bundle, problems in
            findings.append((bundle, problems))
        }
        let receipts = ReceiptsOfBundles()
        for index in findings.indices {
            findings[index].problems += receipts.problems(at: findings[index].bundle)
        }
        let contradictions = together.contradictions
        for index in findings.indices {
            findings[index].problems += contradictions[findings[index].bundle] ?? []
        }
        switch format {
        case .json:
            let list = findings.map { finding -> JSON in
                [
                    "bundle": .text(finding.bundle), "problems": .texts(finding.problems),
                    "receipts": .list(
                        receipts.valid(of: finding.bundle).map { filed, time in
                            ["store": .text(filed.store), "time": .text(time)]
                        }),
                ]
            }
            Output.say(json: .list(list))
        case .text:
            for (bundle, problems) in findings {
                if problems.isEmpty {
                    let isPseudonymised = Manifest.atHand(bundle)?.isPseudonymised == true
                    Output.say(
                        "\(bundle): whole\(isPseudonymised ? ", without the journal: it is pseudonymised" : "")"
                    )
                }
                for (filed, time) in receipts.valid(of: bundle) {
                    Output.say("\(bundle): kept by \(printable(filed.store)) at \(time), as its receipt says")
                }
                for problem in problems { Output.say("\(bundle): \(problem)") }
            }
            if findings.contains(where: \.problems.isEmpty) { Output.say(Verification.meaning) }
        }
        for remark in receipts.remarks { Output.remark("\(remark)") }
        if findings.contains(where: { !$0.problems.isEmpty }) { throw ExitCode.badData }
    }
}
