import CLoaded
package import SessionPorts
package import StudyModel
import Synchronization

/// Sends heart rates, RR intervals and events of a run to the Lab Streaming Layer.
///
/// For each source `NAME` there is a stream `HR NAME` in beats per minute and a stream `RR NAME` in milliseconds;
/// `Markers Entrain` holds texts: `show STEP`, `start STEP`, `play CLIP`, `ask QUESTION`, `answer
/// QUESTION`, `miss QUESTION`, `react STEP`, `mark KIND`, `end STEP` and `run completed`.
@safe package final class LabStreamPublisher: Sendable {
    /// A stream that this program sends.
    @safe private final class Outlet: Sendable {
        // SAFETY: lives from init to deinit; liblsl's outlets may be used from any thread.
        nonisolated(unsafe) let pointer: OpaquePointer

        init(_ name: String, type: String, unit: String?, source: String) throws(SourceFailure) {
            let made: OpaquePointer? =
                if let unit {
                    unsafe entrain_lsl_publish(name, type, unit, source)
                } else {
                    unsafe entrain_lsl_publish(name, type, nil, source)
                }
            guard let made = unsafe made else { throw SourceFailure("the stream '\(name)' cannot be made") }
            unsafe pointer = made
        }

        deinit { unsafe entrain_lsl_end(pointer) }

        func send(_ number: Double, at time: Double) {
            unsafe entrain_lsl_send_number(pointer, Float(number), time)
        }

        func send(_ text: String, at time: Double) { unsafe entrain_lsl_send_text(pointer, text, time) }
    }

    private let rates: [Identifier: Outlet]
    private let intervals: [Identifier: Outlet]
    private let markers: Outlet
    private let marking: Mutex<RunMarking>

    /// - Parameter source: distinguishes the streams' identifiers from those of any other run.
    /// - Throws: `SourceFailure` if liblsl is not installed.
    package init(_ plan: RunPlan, sources: some Sequence<Identifier>, source: String) throws(SourceFailure) {
        if let problem = LabStreamSource.problem { throw SourceFailure(problem) }
        var rates: [Identifier: Outlet] = [:]
        var intervals: [Identifier: Outlet] = [:]
        for name in sources {
            rates[name] = try Outlet(
                "HR \(name)", type: "HR", unit: "bpm", source: "\(source)-HR-\(name)")
            intervals[name] = try Outlet(
                "RR \(name)", type: "RR", unit: "ms", source: "\(source)-RR-\(name)")
        }
        self.rates = rates
        self.intervals = intervals
        markers = try Outlet("Markers Entrain", type: "Markers", unit: nil, source: "\(source)-markers")
        marking = Mutex(RunMarking(plan))
    }

    /// Sends an update of a run at once.
    package func send(_ news: RunUpdate) {
        let now = entrain_lsl_clock()
        switch news {
        case .measured(let source, let sample):
            let time = now - sample.instant.duration(to: sample.arrival) / .seconds(1)
            for interval in sample.value.rrIntervals { intervals[source]?.send(interval * 1000, at: time) }
            if let rate = sample.value.rate { rates[source]?.send(rate, at: time) }
        case .batteryLow, .soundLevel, .told, .flooded, .judged: break
        case .happened(let event, let instant, let effects):
            for mark in marking.withLock({ $0.marks(of: event, effects, at: instant) }) {
                markers.send(mark.text, at: now + instant.duration(to: mark.instant) / .seconds(1))
            }
        }
    }
}

/// The markers of a run.
struct RunMarking {
    struct Mark: Hashable, Sendable {
        var text: String
        var instant: RunInstant
    }

    private var plan: RunPlan
    private var prompting = PromptMarking()
    private var shown: Set<Int> = []
    private var started: Set<Int> = []

    init(_ plan: RunPlan) { self.plan = plan }

    mutating func marks(of event: Event, _ effects: [Effect], at now: RunInstant) -> [Mark] {
        plan.take(event)
        var noted: [Mark] = []
        // The words of a mark stay in the bundle, because everybody in the network could read them.
        if case .marked(let mark) = event {
            let words = ["mark", mark.kind.rawValue, mark.severity?.rawValue, mark.control?.rawValue]
            noted.append(
                Mark(text: words.compactMap { $0 }.joined(separator: " "), instant: mark.moment))
        }
        noted += prompting.marks(of: event, effects, at: now) { [plan] in
            plan.sections[$0.section].passes[$0.pass][$0.entry].step
        }
        return noted
            + effects.flatMap { effect -> [Mark] in
                switch effect {
                case .show(let presentation): return marks(of: presentation, at: now)
                case .play(let drawn, _, _, let instant, let position):
                    guard position == .zero else { return [] }
                    return [Mark(text: "play \(drawn.stimulus.identifier)", instant: instant)]
                case .deliver(let result):
                    return [Mark(text: "end \(result.path.last.map(\.text) ?? "run")", instant: result.end)]
                case .end(let reason): return [Mark(text: "run \(reason.rawValue)", instant: now)]
                case .wake, .record, .stopRecording, .stopPlaying, .cue, .allocate: return []
                }
            }
    }

    private mutating func marks(of presentation: Presentation, at now: RunInstant) -> [Mark] {
        let entry = plan.sections[presentation.section].passes[presentation.pass][presentation.entry]
        let step = entry.step.identifier
        var marks: [Mark] = []
        if shown.insert(presentation.ordinal).inserted {
            marks.append(Mark(text: "show \(step)", instant: now))
        }
        if case .running(let start, _) = presentation.phase, started.insert(presentation.ordinal).inserted {
            marks.append(Mark(text: "start \(step)", instant: start))
        }
        return marks
    }
}
