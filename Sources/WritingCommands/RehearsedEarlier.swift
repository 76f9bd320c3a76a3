import Console
import Platform
import Results
import SessionPorts
import StudyModel
import StudySession
import Synchronization
import TextFormat

/// Yokes each rehearsed participant to the last one before whose clips followed the heart.
struct RehearsedYokes {
    private let steps: [Identifier]
    private var last: Yoke?
    private var isMissed = false

    init(of task: Study.Task) { steps = task.yokedSteps }

    /// The yoke of a participant; `nil`, with a remark, if there is nobody to imitate.
    mutating func next(for participant: String) -> Yoke? {
        if last == nil, !isMissed {
            isMissed = true
            Output.remark(
                "Nobody was rehearsed before \(participant) whose clip followed the heart: until somebody is, yoked clips keep their own tempo."
            )
        }
        return last
    }

    /// Remembers a run, if its clips followed the heart in all steps that others are yoked to.
    mutating func remember(_ bundle: String) throws(FileFailure) {
        guard !steps.isEmpty else { return }
        let yoke = Yoke(of: try ResultBundle(at: bundle))
        if steps.allSatisfy(yoke.has) { last = yoke }
    }
}

/// What rehearsed participants answered in the sessions so far.
final class RehearsedAnswers: Sendable {
    private let answers = Mutex<[String: [Identifier: [Identifier: Answer]]]>([:])

    /// A session can have several tasks, which add to each other.
    func remember(_ results: [StepResult], of participant: String, in session: Identifier) {
        let last = results.lastAnswers
        answers.withLock { $0[participant, default: [:]][session, default: [:]].merge(last) { $1 } }
    }

    /// What a participant's run uses of them.
    func recalled(by plan: RunPlan) -> [GivenAnswer] {
        guard !plan.recalled.isEmpty else { return [] }
        return plan.recalled(from: answers.withLock { $0[plan.participant] ?? [:] })
    }
}
