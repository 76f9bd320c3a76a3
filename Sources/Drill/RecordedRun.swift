import Platform
import Results

/// A run of a study that nothing happens to, call by call.
struct RecordedRun: Sendable {
    var log: FaultLog
    /// The folder that its calls were below.
    var root: String
    /// What its screen said.
    let screen: Judge.Screen
    /// The visits of each participant.
    let whole: [String: [Judge.WholeVisit]]

    /// Runs a study, and removes what it leaves.
    ///
    /// - Parameters:
    ///   - arguments: those of `entrain run`, for an output folder.
    ///   - faults: a mistake that the program has.
    /// - Throws: `FileFailure` where the run does not end as it should.
    init(
        _ arguments: (String) -> [String], _ faults: [String], by program: Program, at site: CaseFolder
    ) throws(FileFailure) {
        let words = arguments(site.output)
        let outcome = try program.run(
            words, faults: site.faults(faults + ["log=\(site.log)"]), in: site.scratch)
        guard outcome.code == 0 else {
            throw FileFailure(
                "run", words[1],
                .malformed("it ends with \(outcome.code ?? -1) unbroken: \(outcome.errorOutput.suffix(400))"))
        }
        (log, root, screen) = (try site.calls(), site.disk, Judge.Screen(outcome.said))
        guard log.callCount > 0 else {
            throw FileFailure(
                "run", words[1], .malformed("its calls cannot be seen: is the library preloaded?"))
        }
        var whole: [String: [Judge.WholeVisit]] = [:]
        for name in try Judge.bundles(in: site.output) {
            let bundle = try ResultBundle(at: "\(site.output)/\(name)")
            whole[bundle.manifest.participant] = bundle.visits.map {
                Judge.WholeVisit(samples: $0.sampleCount, recorderErrors: $0.recorderErrors)
            }
        }
        self.whole = whole
        try site.remove()
    }
}
