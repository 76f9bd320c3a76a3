package import Results
package import StudyEngine
package import StudyModel

/// One sitting: a planned run, its sources, its participant and its bundle.
package struct Session: Sendable {
    /// All that a sitting needs.
    package struct Setup: Sendable {
        package var study: Study
        package var plan: RunPlan
        /// The participant's language; `nil` where the study is in one language only.
        package var language: Language?
        /// Where samples come from, by the name that recorders use.
        package var sources: [Identifier: any SampleSource]
        /// Who shows the screens and hears the participant.
        ///
        /// `nil` in rehearsals, where nobody looks.
        package var prompter: (any Prompter)?
        /// Who makes the sounds.
        package var player: any StimulusPlayer
        /// What hears the participant, if anything does.
        package var microphone: Microphone?
        /// Answers in the participant's place (`--auto`).
        package var autopilot: SimulatedParticipant?
        /// The output folder, as the participant may be told.
        package var output: String
        /// Whether time is virtual: then everything happens on the run's own thread, in the same order each time.
        package var isVirtual: Bool
        /// How often the samples are synced, in time of the run: half a second of the machine.
        package var syncInterval: Duration

        /// Whether the wall clock was set since the run began.
        package var isWallClockAdjusted: @Sendable (RunInstant) -> Bool

        /// Yields when a signal or the operator ends the run; `nil` where nothing can.
        package var interruptions: AsyncStream<Void>?

        /// Is told what happens, in order, on the run's own thread: it must return at once.
        package var observer: (@Sendable (RunUpdate) -> Void)?

        package init(
            study: Study, plan: RunPlan, language: Language?, sources: [Identifier: any SampleSource],
            prompter: (any Prompter)?, player: any StimulusPlayer, microphone: Microphone? = nil,
            autopilot: SimulatedParticipant?,
            output: String, isVirtual: Bool,
            syncInterval: Duration,
            isWallClockAdjusted: @escaping @Sendable (RunInstant) -> Bool,
            interruptions: AsyncStream<Void>?,
            observer: (@Sendable (RunUpdate) -> Void)? = nil
        ) {
            self.observer = observer
            self.interruptions = interruptions
            self.isWallClockAdjusted = isWallClockAdjusted
            self.study = study
            self.plan = plan
            self.language = language
            self.sources = sources
            self.prompter = prompter
            self.player = player
            self.microphone = microphone
            self.autopilot = autopilot
            self.output = output
            self.isVirtual = isVirtual
            self.syncInterval = syncInterval
        }
    }

    private let setup: Setup

    package init(_ setup: Setup) { self.setup = setup }

    /// Runs from the first step to the sealed bundle.
    ///
    /// - Parameter bundle: the bundle to write into, fresh.
    /// - Returns: how it ended and where the bundle lies.
    package func run<C: Clock>(on clock: C, into bundle: consuming RunningBundle) async -> Sealed
    where C.Instant == RunInstant {
        let inputs = Mailbox<Shell.Input>()
        let (updates, updateSink) = AsyncStream.makeStream(of: ScreenUpdate.self)
        async let prompting: Void? = setup.prompter?.run(updates, on: clock) { inputs.send(.act($0)) }
        let soundPath = bundle.soundPath
        let writer = BundleWriter(bundle)
        let player = setup.player
        player.begin(on: clock)
        setup.microphone?.begin(clock.now)
        let folder = setup.output + "/"
        var (sealed, ending) = await withDiscardingTaskGroup { group in
            let send: @Sendable (Shell.Input) -> Void = { inputs.send($0) }
            let commands = Mailbox<[WriteCommand]>()
            if setup.isVirtual {
                group.addTask { await writer.run(commands, send: send) }
            } else {
                group.addTask { await RunLoop.with { _ in await writer.run(commands, send: send) } }
                group.addTask { await sync(on: clock, send) }
            }
            if let interruptions = setup.interruptions {
                group.addTask { for await _ in interruptions { send(.act(.event(.interrupted))) } }
            }
            let circumstances = Shared(Circumstances())
            for (name, problem) in missingSources { send(.event(.sourceChanged(name, problem: problem))) }
            send(.event(.begin))
            for (name, source) in usedSources {
                group.addTask { await listen(to: source, name: name, on: clock, circumstances, send) }
            }
            group.addTask { for await problem in player.losses() { send(.soundIsLost(problem)) } }
            var shell = Shell(setup)
            var takes: [RecorderKey: Int] = [:]
            var batch = WriteBatch(isPatient: setup.isVirtual)
            var ending = RunInstant.start
            while true {
                for input in await inputs.next() {
                    if case .report(let source, .sample(let sample)) = input {
                        setup.observer?(.measured(source, sample))
                    }
                    for chore in shell.take(input, at: clock.now) {
                        switch chore {
                        case .later(let instant, let input):
                            group.addTask {
                                do { try await clock.sleep(until: instant, tolerance: nil) } catch { return }
                                send(input)
                            }
                        case .update(let update):
                            if case .batteryLow(let source, let percent) = update {
                                setup.observer?(.batteryLow(source, percent: percent, at: clock.now))
                            }
                            if setup.prompter != nil { updateSink.yield(update) }
                        case .write(let command):
                            if case .journal(let event, let instant, let effects) = command {
                                setup.observer?(.happened(event, at: instant, effects))
                            }
                            batch.add(command)
                        case .listen(let key, let format, let start):
                            let path = folder + soundPath(key, format)
                            takes[key] = setup.microphone?.record(path, format, start) {
                                send(.microphone(key, $0))
                            }
                        case .stopListening(let key, let instant):
                            if let take = takes.removeValue(forKey: key) {
                                setup.microphone?.stop(take, instant)
                            }
                        case .seal(let results, let reason, let end):
                            // What is heard ends with the last step, however long the disk takes after it.
                            ending = results.map(\.end).max() ?? end
                            let isAdjusted = setup.isWallClockAdjusted(clock.now)
                            batch.add(.seal(results, reason, at: end, isClockAdjusted: isAdjusted))
                        case .leave(let sealed):
                            commands.finish()
                            group.cancelAll()
                            return (sealed, ending)
                        }
                    }
                    if let due = batch.due() { commands.send(due) }
                    circumstances.set(shell.circumstances)
                }
            }
        }
        updateSink.finish()
        _ = await prompting
        setup.microphone?.close()
        if let problem = await player.finish(at: ending) { sealed.problem = sealed.problem ?? problem }
        return sealed
    }

    /// The names that the plan's recorders and rules listen to.
    private var sourceNames: Set<Identifier> {
        var names = Set(setup.plan.sourceNames)
        if setup.plan.observesHeartRate || setup.plan.task.display.heartRate { names.insert("heartRate") }
        return names
    }

    private var usedSources: [(Identifier, any SampleSource)] {
        sourceNames.sorted(on: \.text).compactMap { name in setup.sources[name].map { (name, $0) } }
    }

    private var missingSources: [(Identifier, String)] {
        sourceNames.sorted(on: \.text).filter { setup.sources[$0] == nil }.map { name in
            (name, "no source named '\(name)' was given; start with --source \(name)=…")
        }
    }

    private func listen<C: Clock>(
        to source: any SampleSource, name: Identifier, on clock: C, _ circumstances: Shared<Circumstances>,
        _ send: @escaping @Sendable (Shell.Input) -> Void
    ) async where C.Instant == RunInstant {
        do {
            try await source.run(on: clock, circumstances: { circumstances.value }) { report in
                send(.report(name, report))
            }
        } catch {
            send(.report(name, .lost(error.description)))
        }
    }

    private func sync<C: Clock>(on clock: C, _ send: (Shell.Input) -> Void) async
    where C.Instant == RunInstant {
        var next = clock.now
        while !Task.isCancelled {
            next = next.advanced(by: setup.syncInterval)
            do { try await clock.sleep(until: next, tolerance: nil) } catch { return }
            send(.syncIsDue)
        }
    }
}
