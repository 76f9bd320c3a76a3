import StudyModel

extension TaskRun {
    /// Where a run stood when it ended before its time, so that it can go on from there.
    struct Interruption: Sendable {
        /// The visit that was on show; `nil` if the run had not begun.
        var position: Visit.Position?
        var ordinal = 0
        /// The clip of that visit: it is dealt once.
        var clip: DrawnStimulus?
        /// Places in the task's list of the spanning recorders that recorded.
        var spans: [Int] = []
        /// The music that went on from an earlier step.
        var music: ResumedMusic?
        /// How much time was left to answer what was on show, if it had a limit.
        var timeLeft: Duration?
        /// The end to which the run had come already, when only the saving failed.
        var end: FinishReason?
    }

    /// Whether the run ended so that it can go on.
    package var canGoOn: Bool { isOver && interruption != nil }

    /// Results that were delivered and never said to be saved, in visiting order.
    package var unsavedOrdinals: [Int] { unsaved.sorted() }

    /// Remembers where the run stands, before it ends early.
    mutating func rememberInterruption(_ reason: FinishReason, at now: RunInstant) {
        guard reason.mayBeContinued else { return }
        var noted = Interruption(spans: spans.map(\.index) + spansToResume)
        if let visit {
            (noted.position, noted.ordinal) = (visit.position, visit.result.ordinal)
            noted.clip = visit.clip?.drawn
            noted.timeLeft = visit.answersDue.map { max(.zero, now.duration(to: $0)) }
        }
        noted.music = interruptedMusic(at: now)
        interruption = noted
    }

    /// Goes on where the run ended before its time: the step that was on show begins anew, as another visit.
    mutating func goOn(at now: RunInstant, into effects: inout [Effect]) {
        guard isOver, let interruption else { return }
        self.interruption = nil
        // What was connected then need not be so now.
        sources = [:]
        settleLeft(at: now)
        stage = .underWay
        spansToResume = interruption.spans
        musicToResume = interruption.music
        if let end = interruption.end {
            finish(end, at: now, into: &effects)
            return
        }
        guard let position = interruption.position else {
            proceed(to: .section(0), from: now, at: now, into: &effects)
            return
        }
        limitToResume = interruption.timeLeft.map { (position, $0) }
        var entered: [Int] = []
        if trail.last?.ordinal == interruption.ordinal { entered = trail.removeLast().entered }
        show(
            plan.entry(at: position), at: position, entered: entered, playing: interruption.clip, from: now,
            at: now, into: &effects)
        deliverComplete(into: &effects)
    }

    /// Nothing that was waited for when the program was killed comes any more.
    private mutating func settleLeft(at now: RunInstant) {
        let lost = RecordingReport(files: [], problem: "the run ended before the recording was finished")
        for index in left.indices {
            for place in left[index].recordings.indices where left[index].recordings[place].report == nil {
                left[index].recordings[place].report = lost
            }
            if var playback = left[index].clip?.playbacks.last, playback.end == nil {
                playback.end = max(playback.onset, left[index].result.end)
                left[index].take(playback)
            }
        }
    }
}
