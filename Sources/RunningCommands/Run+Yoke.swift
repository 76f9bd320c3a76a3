import BundleReplay
import Results
import StudyModel
import StudySession
import TextFormat

extension Run {
    /// The other run to which clips are yoked.
    ///
    /// - Throws: `StudyFailure` if the study has such clips and no run was named, or the other way round, or if the run has
    ///   nothing to imitate.
    func yoke(for plan: RunPlan, of study: Study) throws -> Yoke? {
        let steps = plan.task.yokedSteps
        guard let yokedTo = departures.yokedTo else {
            guard let step = steps.first else { return nil }
            throw StudyFailure(
                "the study yokes a clip to the step '\(step)' of another participant's run: name its bundle with --yoked-to, "
                    + "or write --yoked-to none if this participant does not come to the clip", .usage)
        }
        guard !steps.isEmpty else {
            throw StudyFailure("no clip of the study is yoked: leave --yoked-to out", .usage)
        }
        guard yokedTo != "none" else { return nil }
        let bundle = try ResultBundle(at: yokedTo)
        guard bundle.manifest.run.study == study.identifier else {
            throw StudyFailure(
                "\(printable(yokedTo)) is of the study '\(bundle.manifest.run.study)', and this one is '\(study.identifier)'",
                .badStudy)
        }
        let yoke = Yoke(of: bundle)
        if let missing = steps.first(where: { !yoke.has($0) }) {
            throw StudyFailure(
                "\(printable(yokedTo)) has nothing to imitate: no clip of the step '\(missing)' changed in it",
                .badStudy)
        }
        return yoke
    }
}
