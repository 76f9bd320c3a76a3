import Results
import SessionPorts
import StudyModel

extension Shell {
    /// A display looks again at its source, or its pacer goes on to another part of a breath.
    ///
    /// - Parameter number: counts the seconds, or the parts, since the recording began.
    mutating func displayDue(_ key: RecorderKey, _ number: Int, at now: RunInstant) -> [Chore] {
        guard let recording = recordings.running(key),
            let display = recording.configuration.biofeedback
        else { return [] }
        let time = recording.start.duration(to: now)
        switch display {
        case .pacer(let pacer):
            // If the program was stopped, the rhythm has gone on.
            let number = max(number, pacer.number(at: time))
            let (phase, start) = pacer.part(number)
            let next = pacer.part(number + 1)
            let due = recording.start.advanced(by: next.start)
            return show(.breath(phase), in: key, at: recording.start.advanced(by: start), now: now)
                + (number == 0 ? placeTone(phase, of: pacer, heardFrom: recording.start, now: now) : [])
                + [.later(sounding(pacer, due, after: now), .recorder(key, .breathDue(next.phase, at: due)))]
                + [.later(due, .recorder(key, .displayDue(number + 1)))]
        case .heartRate, .variability:
            let number = max(number, Int((time / .seconds(1)).rounded(.down)))
            let instant = recording.start.advanced(by: .seconds(number))
            let heart = recording.configuration.sourceName.flatMap { sources.hearts[$0] }
            let shown: Biofeedback.Shown =
                if case .variability(let measure, let window) = display {
                    heart?.variability(measure, over: window, at: instant) ?? .unknown
                } else {
                    heart?.rate(at: instant) ?? .unknown
                }
            return show(shown, in: key, at: instant, now: now)
                + [
                    .later(
                        recording.start.advanced(by: .seconds(number + 1)),
                        .recorder(key, .displayDue(number + 1)))
                ]
        }
    }

    /// A part of a breath begins soon, which its tone says.
    mutating func breathDue(
        _ key: RecorderKey, _ phase: BreathingPacer.Phase, at instant: RunInstant, now: RunInstant
    ) -> [Chore] {
        guard let recording = recordings.running(key),
            case .pacer(let pacer)? = recording.configuration.biofeedback,
            runningEnd.map({ instant < $0 }) == true
        else { return [] }
        return placeTone(phase, of: pacer, heardFrom: instant, now: now)
    }

    /// Shows something, and records it if it is something else than before.
    private mutating func show(
        _ shown: Biofeedback.Shown, in key: RecorderKey, at instant: RunInstant, now: RunInstant
    ) -> [Chore] {
        let update = Chore.update(.shown(key.recorder, shown, at: instant))
        guard recordings[key]?.shown != shown else { return [update] }
        recordings[key]?.shown = shown
        let sample = Timed(SignalValue.shown(shown), at: instant, arrival: max(now, instant))
        return [update, .write(.append(key, .sample(sample)))]
    }

    /// When the tone of a part that begins at `due` is to be placed, so that it is heard then.
    private func sounding(_ pacer: BreathingPacer, _ due: RunInstant, after now: RunInstant) -> RunInstant {
        pacer.isSounded ? max(now, due.advanced(by: .zero - sound.delay)) : due
    }

    /// The tone of a part of a breath. It is heard at its moment, or as soon as the device can.
    private mutating func placeTone(
        _ phase: BreathingPacer.Phase, of pacer: BreathingPacer, heardFrom instant: RunInstant,
        now: RunInstant
    ) -> [Chore] {
        guard pacer.isSounded, sound.isAudible, let tone = phase.tone else { return [] }
        return give(tone, at: max(now, instant.advanced(by: .zero - sound.delay)))
    }
}
