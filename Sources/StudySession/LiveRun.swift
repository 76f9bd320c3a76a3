import Platform
import Results
import SessionPorts
import StudyEngine
import StudyModel

/// A sitting in progress: everything that sends inputs to the shell, and the task that performs the shell's chores.
struct LiveRun: Sendable {
    private let sitting: Sitting
    private let clock: RunClock
    private let inputs = Mailbox<Shell.Input>()
    private let circumstances = Shared(Circumstances())

    init(_ sitting: Sitting, on clock: RunClock) {
        self.sitting = sitting
        self.clock = clock
    }

    /// - Parameter others: what writes the companions' bundles, in their order.
    func run(into bundle: consuming RunningBundle, beside others: [BundleWriter]) async -> Sealed {
        let (updates, screen) = AsyncStream.makeStream(of: ScreenUpdate.self)
        async let prompting: Void? = sitting.prompter?.run(updates, on: clock) { inputs.send(.act($0)) }
        // The sources begin with the run, and not before it.
        let first = clock.now
        let soundPath = bundle.soundPath
        let writer = BundleWriter(bundle)
        sitting.player.begin(on: clock)
        sitting.microphone?.begin(clock.now)
        var (sealed, lastEnd) = await withDiscardingTaskGroup { group in
            let commands = ([writer] + others).map { _ in Mailbox<[WriteCommand]>() }
            startWriting(writer, commands[0], in: &group) { inputs.send($0) }
            for (place, other) in others.enumerated() {
                startWriting(other, commands[place + 1], in: &group) { inputs.send(.companion(place, $0)) }
            }
            if sitting.pace != .virtual { group.addTask { await sendSyncs() } }
            startListening(in: &group)
            var performer = ChorePerformer(
                sitting, clock: clock, from: first, inputs: inputs, commands: commands, screen: screen,
                soundPath: soundPath)
            let outcome = await performer.run(telling: circumstances, in: &group)
            for commands in commands { commands.finish() }
            group.cancelAll()
            return outcome
        }
        screen.finish()
        _ = await prompting
        sitting.microphone?.close()
        if let problem = await sitting.player.finish(at: lastEnd) {
            sealed.problem = sealed.problem ?? problem
        }
        return sealed
    }

    /// Starts the writer: beside the run, or, in virtual time, on the run's own thread.
    private func startWriting(
        _ writer: BundleWriter, _ commands: Mailbox<[WriteCommand]>, in group: inout DiscardingTaskGroup,
        send: @escaping @Sendable (Shell.Input) -> Void
    ) {
        guard sitting.pace != .virtual else {
            group.addTask { await writer.run(commands, send: send) }
            return
        }
        group.addTask { await RunLoop.with { _ in await writer.run(commands, send: send) } }
    }

    /// Begins the run, and listens to everything that sends it inputs.
    private func startListening(in group: inout DiscardingTaskGroup) {
        if let interruptions = sitting.interruptions {
            group.addTask { for await _ in interruptions { inputs.send(.act(.event(.interrupted))) } }
        }
        let names = sitting.seat.plan.sourceNames.sorted()
        let continued = sitting.continuation
        // What is told of sources counts for what goes on, and not for what has ended.
        if continued != nil { inputs.send(.event(.continued)) }
        if continued == nil, !sitting.session.recalled.isEmpty {
            inputs.send(.event(.recalled(sitting.session.recalled)))
        }
        for name in names where sitting.seat.sources[name] == nil {
            inputs.send(.event(.sourceChanged(name, problem: Self.absence(of: name))))
        }
        for (place, companion) in sitting.companions.enumerated() {
            for name in companion.plan.sourceNames.sorted() where companion.sources[name] == nil {
                let problem = Self.absence(of: name, for: companion.plan.participant)
                inputs.send(.companion(place, .report(name, .lost(problem))))
            }
        }
        if continued == nil { inputs.send(.event(.begin)) }
        for ordinal in continued?.run.unsavedOrdinals ?? [] { inputs.send(.event(.saved(ordinal))) }
        for (place, companion) in sitting.companions.enumerated() {
            for ordinal in companion.continuation?.run.unsavedOrdinals ?? [] {
                inputs.send(.companion(place, .event(.saved(ordinal))))
            }
        }
        if let marks = sitting.marks {
            group.addTask {
                for await request in marks {
                    let speed = sitting.pace.speed ?? 0
                    let pressed = request.moment(
                        now: clock.now, clock: monotonicNanoseconds(), speed: speed)
                    inputs.send(.mark(request, pressed: pressed))
                }
            }
        }
        for name in names {
            if let source = sitting.seat.sources[name] {
                group.addTask { await listen(to: source) { inputs.send(.report(name, $0, at: clock.now)) } }
            }
            for (place, companion) in sitting.companions.enumerated() {
                guard let source = companion.sources[name] else { continue }
                group.addTask {
                    await listen(to: source) { inputs.send(.companion(place, .report(name, $0))) }
                }
            }
        }
        if let levels = sitting.microphone?.levels {
            group.addTask { await listen(to: levels) { inputs.send(.report(nil, $0)) } }
        }
        group.addTask { for await news in sitting.player.news() { inputs.send(.sound(.news(news))) } }
    }

    private static func absence(of name: Identifier, for participant: String? = nil) -> SourceProblem {
        let whose = participant.map { "@\($0)" } ?? ""
        return "no source named '\(name)' was given; start with --source \(name)\(whose)=…"
    }

    private func listen(
        to source: any SampleSource, report: @escaping @Sendable (SourceReport) -> Void
    ) async {
        do {
            try await source.run(on: clock, circumstances: { circumstances.value }, report: report)
        } catch {
            report(.lost(SourceProblem(error.description)))
        }
    }

    private func sendSyncs() async {
        var next = clock.now
        while !Task.isCancelled {
            next = next.advanced(by: sitting.syncInterval)
            do { try await clock.sleep(until: next, tolerance: nil) } catch { return }
            inputs.send(.syncIsDue)
        }
    }
}
