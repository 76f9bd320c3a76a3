import ArgumentParser
import Console
import StudyModel

package struct ControlCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "control",
        abstract: "Changes the course of a run that is going on, from a second terminal.",
        discussion: """
            pause           stops the clock of the timed step until 'resume'
            resume          goes on after a pause
            restart         begins the timed step on the screen anew, with the same clip
            repeat          goes back to the timed step that was done last
            skip            leaves the step on the screen
            without-source  begins a step that waits for a required source without it
            message         shows the text to the participant
            end             ends the run

            Say why: the reason is kept with the step in result.json, in the table 'marks', in 'entrain show' and in \
            'entrain report'. For 'message' it is the text that the participant sees. Only 'resume' needs no reason.
            """)

    @Argument(
        help: "What to do.",
        completion: .list(RunMark.Control.allCases.map(\.word)),
        transform: RunMark.Control.word)
    var action: RunMark.Control

    @Argument(help: "The reason, or the message: one line of at most 500 characters.")
    var reason: String?

    @OptionGroup var target: RunInProgress

    func validate() throws {
        guard reason != nil || action == .resume else {
            throw ValidationError(
                action == .message ? "Write the message." : "Write the reason: control \(action.word) \"…\"")
        }
        guard reason.map(RunMark.isText) ?? true else {
            throw ValidationError("A reason is one line of 1 to 500 characters.")
        }
    }

    func run() throws {
        try target.send(.control, control: action, text: reason ?? RunMark.Control.resumption)
    }
}

extension RunMark.Control {
    fileprivate static func word(_ text: String) throws -> Self {
        guard let action = allCases.first(where: { $0.word == text }) else {
            throw ValidationError("'\(text)' is none of: \(allCases.map(\.word).joined(separator: ", ")).")
        }
        return action
    }
}
