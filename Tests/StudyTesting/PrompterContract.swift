package import SessionPorts
import StudyModel
import Synchronization

/// Checks the laws of `Prompter`, without waiting.
///
/// - Parameters:
///   - screens: shown one after the other, as soon as the act before asked for the next.
///   - make: a fresh prompter; on its device somebody types, or nobody.
/// - Returns: each broken law in words; empty where the prompter keeps them all.
package func checkPrompterContract(
    _ screens: [Screen], _ make: @Sendable () -> any Prompter
) async -> [String] {
    var broken: [String] = []
    let early = PrompterTrace()
    await early.run(make(), screens: [], endsUpdates: true)
    if !early.events.isEmpty { broken.append("tells \(early.events) before anything is shown") }
    let cancelled = PrompterTrace()
    let unlucky = make()
    await withTaskGroup { group in
        group.addTask { await cancelled.run(unlucky, screens: screens, endsUpdates: false) }
        group.cancelAll()
    }
    let whole = PrompterTrace()
    await whole.run(make(), screens: screens, endsUpdates: true)
    for trace in [cancelled, whole] { broken += trace.notOffered }
    return broken
}

/// What a prompter told.
private final class PrompterTrace: Sendable {
    private struct State {
        var shown: Screen?
        var waiting: [Screen] = []
        var events: [Event] = []
        var notOffered: [String] = []
    }

    private let state = Mutex(State())

    var events: [Event] { state.withLock { $0.events } }
    var notOffered: [String] { state.withLock { $0.notOffered } }

    /// Returns when the prompter does.
    func run(_ prompter: any Prompter, screens: [Screen], endsUpdates: Bool) async {
        let (updates, sink) = AsyncStream.makeStream(of: ScreenUpdate.self)
        let clock = ManualClock()
        state.withLock { $0.waiting = screens }
        showNext(sink, endsUpdates: endsUpdates)
        await prompter.run(updates, on: clock) { act in
            guard case .event(let event, _) = act else { return }
            self.take(event)
            // A draft leaves the screen as it is.
            if case .drafted = event { return }
            self.showNext(sink, endsUpdates: endsUpdates)
        }
    }

    private func showNext(_ sink: AsyncStream<ScreenUpdate>.Continuation, endsUpdates: Bool) {
        let next: Screen? = state.withLock { state in
            guard !state.waiting.isEmpty else { return nil }
            state.shown = state.waiting.removeFirst()
            return state.shown
        }
        if let next {
            sink.yield(.screen(next))
        } else if endsUpdates {
            sink.yield(.over(.completed, folder: "results", problem: nil))
            sink.finish()
        }
    }

    private func take(_ event: Event) {
        state.withLock { state in
            state.events.append(event)
            guard let shown = state.shown else { return }
            if !shown.allows(event) { state.notOffered.append("tells \(event), which is not offered") }
        }
    }
}

extension Screen {
    /// Whether a participant may do this now.
    fileprivate func allows(_ event: Event) -> Bool {
        switch (event, phase, content) {
        case (.interrupted, _, _): true
        case (.withdrawn, _, _): phase != .saving
        case (.putAside, _, _): allows.contains(.putAside) && phase != .saving
        case (.skipped, _, _): allows.contains(.skip)
        case (.wentBack, _, _): allows.contains(.goBack)
        case (.confirmed, .waiting, .instruction), (.confirmed, .waiting, .timed),
            (.confirmed, .waiting, .review), (.confirmed, .waiting, .completion), (.confirmed, .timeUp, _),
            (.confirmed, .waitingForArm(.some), _):
            true
        case (.answered(let answers), .waiting, .questions(let questions, _)):
            answers.map(\.question) == questions.map(\.identifier)
        case (.drafted(let draft), .waiting, .questions(let questions, _)):
            questions.map(\.identifier).contains(draft.question)
        case (.drafted(let draft), .waiting, .consent(let question, _, _)): draft.question == question
        case (.answered(let answers), .waiting, .consent(let question, _, _)):
            answers.map(\.question) == [question]
        case (.wentBackTo(let visit), .waiting, .review(let answers)): answers.map(\.ordinal).contains(visit)
        case (.paused, .running, .timed), (.resumed, .paused, _): true
        case (_, _, _): false
        }
    }
}
