import BundleReplay
import Console
import Datasets
import Participants
import Results
import SessionPorts
import StudyEngine
import StudyModel
import StudySession
import TextFormat

extension Run {
    /// No run begins without the sources that its recorders require.
    ///
    /// - Parameter other: the companion whose sources they are; `nil` for the first participant.
    func checkSources(
        of plan: RunPlan, given sources: some Collection<Identifier>, of other: String? = nil,
        _ language: Language?
    ) throws {
        for (recorder, source) in plan.unsourcedRecorders(given: sources) {
            let name = SourceOptions.name(source, of: other)
            guard !recorder.isRequired else {
                throw StudyFailure(
                    "the recorder '\(recorder.identifier)' needs the source '\(name)', and there is none; "
                        + "start with --source \(name)=…", .missing)
            }
            Output.warn(.warnNoSource, recorder.identifier.text, name, in: language)
        }
    }

    /// No run begins without the programs of its steps, unless a simulated participant answers in their place.
    func checkPrograms(of plan: RunPlan) throws {
        let steps = plan.programSteps
        guard !presentation.auto else {
            if !steps.isEmpty { Output.remarkProgramsAreLeftOut() }
            return
        }
        for (step, program) in steps {
            guard let problem = program.problem(in: folder) else { continue }
            throw StudyFailure("the step '\(step)': \(problem)", .missing)
        }
    }

    /// Ratings, taps and reactions follow their participant moment by moment, but lines from a file have no moments.
    func warnOfRatings(in plan: RunPlan, _ language: Language?) {
        let kinds: [(Phrase, [Identifier])] = [
            (.warnNoRating, plan.recorders.filter { $0.rating != nil && $0.source == nil }.map(\.identifier)),
            (.warnNoTaps, plan.recorders.filter { $0.tapping != nil }.map(\.identifier)),
            (.warnNoReaction, plan.reactingSteps),
        ]
        for (phrase, names) in kinds {
            for name in Set(names.map(\.text)).sorted() {
                Output.warn(phrase, name, in: language)
            }
        }
    }

    /// A rehearsal does not use up a participant's session, so it checks nothing and returns `nil`.
    func admission(
        of sitting: Sitting, _ study: CheckedStudy, _ setting: RunSetting
    ) throws -> Admission? {
        let run = sitting.header(of: sitting.seat).run
        guard !run.origin.isInvented else { return nil }
        let admission = try Admission(to: output)
        let register = try Register(in: output)
        for seat in sitting.seats {
            try mustBeAdmissible(sitting.header(of: seat).run, study, setting, among: register)
        }
        if run.deviation == nil {
            try ProtocolCheck(of: study, in: folder).mustHold(for: run, among: register)
        }
        return admission
    }
}

extension RunPlan {
    /// The steps that a key answers.
    var reactingSteps: [Identifier] {
        sections.flatMap(\.passes).joined().map(\.step).filter { $0.active?.reaction != nil }.map(
            \.identifier)
    }
}
