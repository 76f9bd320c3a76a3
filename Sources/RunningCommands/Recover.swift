import ArgumentParser
import BundleReplay
import Console
import ResultCommands
import Results
import Signals
import StudyModel
import TextFormat
import TransparencyLog

package struct Recover: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover", abstract: "Seals the bundles of runs that were killed.",
        discussion: """
            Everything that was reported as saved is kept. Recovering twice changes nothing. A Polar strap whose \
            waveforms a killed run left on is told to end them.
            """)

    @Argument(help: "The folder with result bundles.", completion: .directory)
    var output: String

    @Option(help: "'text' for people, 'json' for programs.")
    var format = OutputFormat.text

    func run() async throws {
        var failures: [any Error] = []
        let recoveries = try reporting { try Recovery.all(in: output) { failures.append($0) } }
        switch format {
        case .json: Output.say(json: .list(recoveries.map(\.json)))
        case .text:
            if recoveries.isEmpty, failures.isEmpty {
                Output.say("There is nothing to recover in '\(output)'.")
            }
            for recovery in recoveries { Output.say("\(recovery)") }
        }
        recoveries.log(in: output)
        await recoveries.endMeasurements(in: output)
        var exits: [any Error] = []
        for failure in failures {
            do { try reporting { throw failure } } catch { exits.append(error) }
        }
        if let first = exits.first { throw first }
    }
}

extension [Recovery] {
    /// Makes the log of the folder, if there is one, say which runs were recovered.
    func log(in output: String) {
        let runs = compactMap { recovery -> String? in
            guard case .sealed(let folder, _) = recovery,
                Manifest.atHand("\(output)/\(folder)")?.run.origin.isInvented == false
            else { return nil }
            return folder
        }
        FolderLog.append(of: .recovered, to: output, runs: runs)
    }

    /// Tells straps that a killed run left sending to end that. Without Bluetooth, no strap is connected to this
    /// machine.
    func endMeasurements(in output: String) async {
        let heardStraps = contains { recovery in
            guard case .sealed(let folder, _) = recovery,
                let bundle = try? ResultBundle(at: output + "/" + folder)
            else { return false }
            return bundle.manifest.provenance?.sources.values
                .contains(SourceConfiguration.Kind.bluetooth.rawValue) == true
        }
        guard heardStraps, let names = try? await StrapScan().endMeasurements() else { return }
        for name in names { Output.remark("Told the strap \(quoted(name)) to end what it still measured") }
    }
}

extension Recovery: CustomStringConvertible {
    public var description: String {
        switch self {
        case .sealed(let folder, let status): "Recovered \(folder): \(status.past)"
        case .neverBegan(let folder): "Removed \(folder): nothing had been recorded"
        case .inUse(let folder): "Left \(folder) alone: the run goes on"
        }
    }

    fileprivate var json: JSON {
        switch self {
        case .sealed(let folder, let status): ["folder": .text(folder), "status": .text(status.rawValue)]
        case .neverBegan(let folder): ["folder": .text(folder), "status": "neverBegan"]
        case .inUse(let folder): ["folder": .text(folder), "status": "inUse"]
        }
    }
}

extension FinishReason {
    /// The state of a run before it was recovered.
    fileprivate var past: String {
        switch self {
        case .completed: "the run had come to its end"
        case .ended(let name): "the run had come to the end '\(name)'"
        case .discarded: "the participant had left"
        case .declined: "the participant had not agreed to the consent document"
        case .failed: "the run had been interrupted; everything recorded until then is kept"
        case .saved: "the run had been put aside"
        case .earlyTermination: "the run had been ended early"
        }
    }
}
