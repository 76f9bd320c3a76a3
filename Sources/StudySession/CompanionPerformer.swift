import SessionPorts
import StudyModel

/// Performs a companion's chores: journals what happens to the first participant, and records the companion's own
/// samples.
///
/// It belongs to the first participant's performer, which hands it everything on the run's own thread. So all
/// bundles of the run have the same moments.
final class CompanionPerformer {
    private let sitting: Sitting
    private let seat: Sitting.Seat
    private let commands: Mailbox<[WriteCommand]>
    private var shell: Shell
    private var batch: WriteBatch
    /// How it ended; `nil` before that.
    private(set) var sealed: Sealed?

    init(_ seat: Sitting.Seat, in sitting: Sitting, from first: RunInstant, commands: Mailbox<[WriteCommand]>)
    {
        (self.sitting, self.seat, self.commands) = (sitting, seat, commands)
        shell = Shell(sitting, of: seat, from: first)
        batch = WriteBatch(isPatient: sitting.pace == .virtual)
    }

    /// Takes an input, and sends to the disk what is due.
    ///
    /// - Parameter later: sends the companion an input at a moment.
    func take(_ input: Shell.Input, at now: RunInstant, later: (RunInstant, Shell.Input) -> Void) {
        seat.observe(input, at: now)
        perform(shell.take(input, at: now), at: now, later: later)
        if let due = batch.due() { commands.send(due) }
    }

    private func perform(
        _ chores: [Shell.Chore], at now: RunInstant, later: (RunInstant, Shell.Input) -> Void
    ) {
        for chore in chores {
            switch chore {
            case .carryOut(let effect, let instant, let planned):
                perform(shell.perform(effect, at: instant, planned: planned), at: now, later: later)
            case .later(let instant, let input): later(instant, input)
            case .write(let command):
                if case .journal(let event, let instant, let effects) = command {
                    seat.observer?(.happened(event, at: instant, effects))
                }
                batch.add(command)
            case .seal(let results, let reason, let end):
                let isAdjusted = sitting.isWallClockAdjusted(at: now)
                batch.add(.seal(results, reason, at: end, isClockAdjusted: isAdjusted))
            case .leave(let sealed): self.sealed = sealed
            case .update, .place, .changeSound, .stopSound, .askOutcome, .listen, .stopListening, .allocate,
                .startProgram, .tellProgram, .stopProgram, .reply:
                // The first participant sees, hears and is asked.
                continue
            }
        }
    }
}
