import ArgumentParser
import BundleReplay
import Console
import Datasets
import Participants
import Results
import Signals
import StudyModel
import StudySession
import TextFormat

extension Run {
    /// - Throws: `ValidationError` if a companion is named twice.
    func mustBeSeveral() throws {
        guard !sources.others.isEmpty else { return }
        try ParticipantOptions.validate(companions: sources.others, of: participant)
    }

    /// The companions with their sources.
    ///
    /// - Parameter remarks: takes remarks of sources for the end of the run.
    func companions(of setting: RunSetting, remarks: SourceRemarks) throws -> [Sitting.Companion] {
        let (study, plan) = (setting.study, setting.plan)
        try mustBeTheSame(as: setting.resumption)
        guard !sources.others.isEmpty else { return [] }
        guard !sources.others.contains(plan.participant) else {
            throw StudyFailure("participant \(printable(plan.participant)) cannot take part twice", .usage)
        }
        try study.mustTakeSeveral()
        if publishesToLab {
            Output.remark(
                "--lsl publishes what the first participant's sources measure, and not the others'.")
        }
        let register = presentation.auto || study.sessions.isEmpty ? nil : try Register(in: output)
        return try sources.others.enumerated().map { place, code in
            let day =
                if let resumption = setting.resumption {
                    resumption.others[place].header.run.sessionDay
                } else {
                    try sessionDay(of: code, setting, among: register)
                }
            let own = plan.beside(code)
            let made = try sources.make(
                for: study, plan: own, of: code, folder: folder, pace: presentation.speed.pace,
                tokens: tokens,
                remarks: remarks)
            try checkSources(of: own, given: made.sources.keys, of: code, setting.language)
            return Sitting.Companion(
                code, uuid: UUIDText.random(), sources: made.sources, kinds: made.kinds,
                sessionDay: day)
        }
    }

    /// - Throws: if a run goes on with others than those with whom it began.
    private func mustBeTheSame(as resumption: Resumption?) throws(StudyFailure) {
        guard let codes = resumption?.others.map(\.header.run.participant), codes != sources.others else {
            return
        }
        let options = codes.map { "--with \(printable($0))" }.joined(separator: " ")
        throw StudyFailure(
            codes.isEmpty
                ? "the participant was alone when the run began: leave --with out"
                : "a run goes on with those with whom it began: give \(options), in this order", .usage)
    }

    /// Days since a companion's first session.
    ///
    /// - Throws: if the companion is in another arm, or their session is not due.
    private func sessionDay(of code: String, _ setting: RunSetting, among register: Register?) throws -> Int?
    {
        let (study, plan) = (setting.study, setting.plan)
        ParticipantCode.warnOfName(code, in: setting.language)
        let arm = try PlannedSession.arm(of: code, study, among: register, in: output)
        guard arm == nil || arm == plan.arm else {
            throw StudyFailure(
                "participant \(printable(code)) is in the arm '\(arm?.text ?? "")', and the run is in "
                    + "'\(plan.arm?.text ?? "")'", .usage)
        }
        return try PlannedSession(
            .number(plan.session), of: study, participant: code, among: register, in: output
        ).day
    }

    /// Reports the quality of the run for each participant, and where the results of the others are.
    ///
    /// - Returns: whether the run was completed, and any participant misses a limit of the study.
    func reportQuality(ofAll sealed: Sealed, _ limits: QualityLimits?) throws -> Bool {
        var isPoor = try reportQuality(of: sealed, limits)
        for (code, other) in zip(sources.others, sealed.companions) {
            if let folder = other.folder {
                Output.remark("\(printable(code)): the results are in '\(printable(output))/\(folder)'")
            }
            if try reportQuality(of: other, limits, whose: code) { isPoor = true }
        }
        return isPoor
    }
}
