import ArgumentParser
import Signals
import StudyEngine
package import StudyModel
import TextFormat

extension SourceOptions {
    /// How long straps are looked for before a run, s.
    private static let looking = 3.0

    /// Lets the experimenter choose among the straps in reach, for each source that is whichever strap there is. Chosen
    /// straps count as given on the command line.
    ///
    /// Nobody is asked if there is only one, or no terminal. If straps cannot be looked for, the source says why.
    package mutating func chooseStraps(for study: Study, _ plan: RunPlan) async throws {
        let open = try owners.flatMap { owner in
            try configurations(for: study, folder: "", of: owner).filter { $0.value == .bluetooth(.only) }
                .keys.filter(plan.sourceNames.contains).sorted().map {
                    (name: Self.name($0, of: owner), owner)
                }
        }
        guard !open.isEmpty, ParticipantCode.isAskable else { return }
        Output.remark("Looking for straps …")
        let straps: [FoundStrap]
        do throws(SourceFailure) {
            straps = try await StrapScan().straps(listening: .seconds(Self.looking), asksThem: false)
        } catch { return }
        guard straps.count > 1 else { return }
        Output.remark("Several straps are in reach:")
        for (place, strap) in straps.enumerated() {
            let signal = strap.signal.map { ", signal \($0) dBm" } ?? ", connected"
            Output.remark("  \(place + 1)  \(printable(strap.name)), \(strap.address)\(signal)")
        }
        var taken: [String: (name: String, owner: String?)] = [:]
        for (name, owner) in open {
            var strap = try Self.choice(of: straps, for: name)
            while let other = taken[strap.address], other.owner != owner {
                Output.remark("'\(other.name)' is that one.")
                strap = try Self.choice(of: straps, for: name)
            }
            taken[strap.address] = (name, owner)
            sources.append("\(name)=bluetooth:\(strap.address)")
        }
    }

    private static func choice(of straps: [FoundStrap], for name: String) throws -> FoundStrap {
        while true {
            guard let line = Output.ask("Which one is worn, for '\(name)'? 1 – \(straps.count): ") else {
                throw ExitCode.interrupted
            }
            if let number = Int(line), straps.indices.contains(number - 1) { return straps[number - 1] }
        }
    }
}
