import StudyModel

/// A recorder that spans steps, while it records.
struct RunningSpan: Sendable {
    /// Its place in the task's list of spanning recorders.
    var index: Int
    var key: RecorderKey
}

extension TaskRun {
    /// Starts the recorders of the step on show.
    mutating func startRecorders(from instant: RunInstant, into effects: inout [Effect]) {
        guard let visit else { return }
        for recorder in visit.entry.step.recorders {
            let key = RecorderKey(
                ordinal: visit.result.ordinal, recorder: recorder.identifier, segment: max(1, visit.segment))
            self.visit?.recordings.append(Recording(key: key))
            effects.append(.record(key, recorder, from: instant))
        }
    }

    /// Stops the recorders of the step on show that are still recording.
    ///
    /// - Parameter due: when they were to end, if the step ends before its time.
    mutating func stopRecorders(
        at instant: RunInstant, due: RunInstant? = nil, into effects: inout [Effect]
    ) {
        guard let recordings = visit?.recordings else { return }
        for (place, recording) in recordings.enumerated()
        where !recording.isStopped && recording.report == nil {
            visit?.recordings[place].isStopped = true
            effects.append(.stopRecording(recording.key, at: instant, due: due))
        }
    }

    /// Asks the player to stop the clip of the step on show, if it is playing.
    ///
    /// - Parameter keepsMusic: whether music that began with the step goes on.
    mutating func stopClip(
        at instant: RunInstant, keepsMusic: Bool = false, into effects: inout [Effect]
    ) {
        guard let visit, visit.clip?.isPlaying == true else { return }
        let isSoundCheck = visit.entry.step.soundCheck != nil
        guard !keepsMusic || visit.music == nil || isSoundCheck else { return }
        if isSoundCheck { music = nil }
        self.visit?.clip?.stop(at: instant)
        effects.append(.stopPlaying(ordinal: visit.result.ordinal, at: instant))
    }

    /// The spanning recorders that start with a step at `position`: those of its section, if it is the section's
    /// first step.
    func startingSpans(at position: Visit.Position) -> [SpanningRecorder] {
        plan.task.recorders.enumerated().filter { startsSpan($0.offset, at: position) }.map(\.element)
    }

    /// Starts the recorders that span from a step.
    ///
    /// - Parameter endingHere: whether those that end with the same section start too.
    mutating func startSpans(
        at position: Visit.Position, ordinal: Int, endingHere: Bool, from instant: RunInstant,
        into effects: inout [Effect]
    ) {
        for (index, span) in plan.task.recorders.enumerated() where startsSpan(index, at: position) {
            guard endingHere || span.from != span.to else { continue }
            // Like what goes on after a pause, what goes on in a continued run is a further segment.
            let segment = spansToResume.contains(index) ? spanSegments[index, default: 0] + 1 : 1
            spanSegments[index] = segment
            spansToResume.removeAll { $0 == index }
            let key = RecorderKey(ordinal: ordinal, recorder: span.recorder.identifier, segment: segment)
            spans.append(RunningSpan(index: index, key: key))
            effects.append(.record(key, span.recorder, from: instant))
        }
    }

    /// Stops the recorders and the music that span to a section. Files go to the visit that was left last.
    ///
    /// - Parameter section: `nil` stops them all.
    mutating func stopSpans(to section: Int?, at instant: RunInstant, into effects: inout [Effect]) {
        stopMusic(to: section, at: instant, into: &effects)
        let name = section.map { plan.sections[$0].step.identifier }
        spansToResume.removeAll { name == nil || plan.task.recorders[$0].to == name }
        let ending = spans.filter { name == nil || plan.task.recorders[$0.index].to == name }
        guard !ending.isEmpty, let last = left.indices.last else { return }
        for span in ending {
            left[last].recordings.append(Recording(key: span.key, isStopped: true))
            effects.append(.stopRecording(span.key, at: instant))
        }
        spans.removeAll { span in ending.contains { $0.key == span.key } }
    }

    /// A recorder finished, by request or by itself.
    mutating func finishRecording(
        _ key: RecorderKey, _ report: RecordingReport, into effects: inout [Effect]
    ) {
        if let place = visit?.recordings.firstIndex(where: { $0.key == key && $0.report == nil }) {
            visit?.recordings[place].report = report
        } else if let place = spans.firstIndex(where: { $0.key == key }), visit != nil {
            spans.remove(at: place)
            visit?.recordings.append(Recording(key: key, report: report, isStopped: true))
        } else {
            for visit in left.indices {
                guard
                    let place = left[visit].recordings.firstIndex(where: { $0.key == key && $0.report == nil }
                    )
                else { continue }
                left[visit].recordings[place].report = report
            }
            deliverComplete(into: &effects)
        }
    }

    private func startsSpan(_ index: Int, at position: Visit.Position) -> Bool {
        let isFirst =
            plan.isFirst(position)
            && plan.task.recorders[index].from == plan.sections[position.section].step.identifier
        return (isFirst || spansToResume.contains(index))
            && !spans.contains { $0.index == index }
    }
}
