package import ArgumentParser
package import BundleReplay
import Hashing
import Results
import SessionPorts
import StudyEngine
import StudyFile
package import StudyModel
import TextFormat

/// Which task of which study, and for whom: the options that planning, rehearsing and running share.
package struct StudyOptions: ParsableArguments {
    @Argument(help: "The study file.", completion: .file(extensions: ["yaml", "yml"]))
    package var study: String

    @Option(
        help: "The task to run, if the study has several; default: what its sessions or its nextTask say.")
    package var task: String?

    @Option(help: "The seed of all draws; default: the study's, or else a random one that is recorded.")
    package var seed: UInt64?

    package init() {}

    /// Reads and checks the study; prints what is wrong with it.
    package func load() throws -> CheckedStudy {
        let checked = try CheckedStudy(reading: study)
        guard checked.hasErrors else { return checked }
        Output.emit(.coloured(checked.diagnostics.rendered(isColoured: Terminals.isColoured)))
        throw ExitCode.badData
    }

    /// The seed: from the command line, otherwise the study's, otherwise a new random one.
    package func seed(of study: Study) -> UInt64 { seed ?? study.seed ?? UInt64.random(in: .min ... .max) }
}

/// The participant's number, and the number of the session.
package struct ParticipantOptions: ParsableArguments {
    @Option(
        help: "The participant's number for balanced orders, from 1; default: the digits at the code's end.")
    package var participantNumber: Int?

    @Option(
        help:
            "The session, from 1, or its name if the study lists its sessions; default: 1, or with a participant the one that is due."
    )
    package var session: SessionName?

    @Option(help: "The participant's arm, in a study with arms.")
    package var arm: String?

    package init() {}

    package func validate() throws {
        guard participantNumber ?? 1 >= 1 else { throw ValidationError("--participant-number counts from 1") }
        if case .number(let number) = session, number < 1 {
            throw ValidationError("--session counts from 1")
        }
    }

    /// - Throws: `ValidationError` if somebody would take part twice in one run.
    package static func validate(companions: [String], of participant: String?) throws {
        let codes = [participant].compactMap(\.self) + companions
        guard Set(codes).count == codes.count else {
            throw ValidationError("--with names other participants than --participant, and each of them once")
        }
    }

    package static func validate(participant: String) throws {
        let scalars = participant.unicodeScalars
        guard (1...64).contains(scalars.count),
            !scalars.contains(where: { [.control, .format].contains($0.properties.generalCategory) })
        else {
            throw ValidationError("a participant's code has 1 to 64 characters and no control characters")
        }
        guard scalars.first?.properties.isWhitespace != true, scalars.last?.properties.isWhitespace != true
        else {
            throw ValidationError(
                "a participant's code neither begins nor ends with a space: '\(participant)'")
        }
    }

    /// The code of a participant who has only a number: `P01`.
    package static func code(of number: Int) -> String { "P\(digits(number, 2))" }

    package func number(of participant: String) -> Int? {
        participantNumber ?? StudyEngine.participantNumber(of: participant)
    }

    /// The task of a session; `nil` if the participant chooses it.
    package func task(
        of study: Study, named name: String?, participant: String, session: Int, seed: UInt64
    ) throws -> Study.Task? {
        try study.task(
            named: name, participant: participant, number: number(of: participant), session: session,
            seed: seed)
    }

    /// Makes every draw.
    package func plan(
        _ study: Study, task: Study.Task, participant: String, session: Int, seed: UInt64
    ) throws -> RunPlan {
        try RunPlan(
            drawing: study, task: task, participant: participant, number: number(of: participant),
            session: session,
            seed: seed)
    }
}

extension Study {
    /// - Throws: `StudyFailure` if each participant gets an arm of their own, so that nobody can share a run.
    package func mustTakeSeveral() throws(StudyFailure) {
        guard allocation == nil else {
            throw StudyFailure(
                "the study allocates an arm to each participant, so nobody can take part in another's run: leave --with out",
                .usage)
        }
    }
}
