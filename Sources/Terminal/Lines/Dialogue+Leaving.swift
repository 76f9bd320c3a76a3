import SessionPorts
import StudyModel

// What interrupts a question: whether to leave, and the word that lets somebody.
extension Dialogue {
    var leaveRequest: String { wording.leaveRequest(mayPutAside: offers.contains(.putAside)) }

    /// Control-C asks whether to leave; the second time, the run ends. A locked run asks for the word instead.
    mutating func handleInterruption() -> Outcome {
        guard !isOver else { return Outcome() }
        if !isLeaving, !isIntervening { aside = line }
        line = LineEditor()
        if isLocked {
            isUnlocking.toggle()
            if !isUnlocking { goOnTyping() }
            return Outcome(lines: isUnlocking ? [wording(.unlock)] : nowWanted)
        }
        guard !isLeaving, offers.contains(.leave) else {
            return Outcome(acts: [.event(.interrupted)])
        }
        isLeaving = true
        return Outcome(lines: [leaveRequest])
    }

    /// Gives the half-typed line back that was put aside.
    mutating func goOnTyping() { (line, aside) = (aside, LineEditor()) }

    /// Takes the answer whether to leave.
    mutating func leave(_ line: String) -> Outcome {
        isLeaving = false
        if offers.contains(.putAside), wording.isLater(line) { return Outcome(acts: [.event(.putAside)]) }
        let isYes = wording.isYes(line.trimmed) == true
        if !isYes { goOnTyping() }
        return isYes ? Outcome(acts: [.event(.withdrawn)]) : Outcome(lines: nowWanted)
    }
}
