import Platform
import Results
import SessionPorts
import StudyModel

/// Performs the shell's chores in order, and passes immediate answers back to it.
struct ChorePerformer: ~Copyable {
    private let sitting: Sitting
    private let clock: RunClock
    private let inputs: Mailbox<Shell.Input>
    private let commands: Mailbox<[WriteCommand]>
    private let companions: [CompanionPerformer]
    private let screen: AsyncStream<ScreenUpdate>.Continuation
    /// Where the microphone's file of a recording lies, in the output folder.
    private let soundPath: (RecorderKey, RecorderConfiguration.SoundFormat) -> String

    private var shell: Shell
    private var batch: WriteBatch
    /// The microphone's current recordings, by its own numbers.
    private var takes: [RecorderKey: Int] = [:]
    /// The end of the last step.
    private var lastEnd = RunInstant.start
    private var sealed: Sealed?
    /// The program of the step on show.
    private var program: LineProgram?

    init(
        _ sitting: Sitting, clock: RunClock, from first: RunInstant, inputs: Mailbox<Shell.Input>,
        commands: [Mailbox<[WriteCommand]>],
        screen: AsyncStream<ScreenUpdate>.Continuation,
        soundPath: @escaping (RecorderKey, RecorderConfiguration.SoundFormat) -> String
    ) {
        self.sitting = sitting
        self.clock = clock
        self.inputs = inputs
        self.commands = commands[0]
        companions = zip(sitting.companions, commands.dropFirst()).map {
            CompanionPerformer($0, in: sitting, from: first, commands: $1)
        }
        self.screen = screen
        self.soundPath = soundPath
        shell = Shell(sitting, of: sitting.seat, from: first)
        batch = WriteBatch(isPatient: sitting.pace == .virtual)
    }

    /// Takes inputs until the bundles are sealed.
    ///
    /// - Parameter circumstances: receives what the participant is doing.
    /// - Returns: how the run ended, and when its last step did.
    mutating func run(
        telling circumstances: Shared<Circumstances>, in group: inout DiscardingTaskGroup
    ) async -> (Sealed, lastEnd: RunInstant) {
        while true {
            for input in await inputs.next() {
                take(input, in: &group)
                if let sealed = wholeOutcome { return (sealed, lastEnd) }
                if let due = batch.due() { commands.send(due) }
                circumstances.set(shell.circumstances)
            }
        }
    }

    private mutating func take(_ input: Shell.Input, in group: inout DiscardingTaskGroup) {
        let now = clock.now
        if sealed == nil { perform(shell.look(at: now), in: &group) }
        guard case .companion(let place, let own) = input else {
            if case .syncIsDue = input { tellCompanions(.syncIsDue, at: now, in: &group) }
            sitting.seat.observe(input, at: now)
            // After its end, a run has nothing to do but to wait for the companions' bundles.
            if sealed == nil { perform(shell.take(input, at: now), in: &group) }
            return
        }
        tell(place, own, at: now, in: &group)
        guard let beside = sitting.besideInput(own, of: place), sealed == nil else { return }
        perform(shell.take(beside, at: now), in: &group)
    }

    private func tell(
        _ place: Int, _ input: Shell.Input, at now: RunInstant, in group: inout DiscardingTaskGroup
    ) {
        guard companions[place].sealed == nil else { return }
        companions[place].take(input, at: now) { send(.companion(place, $1), at: $0, in: &group) }
    }

    private func tellCompanions(
        _ input: Shell.Input, at now: RunInstant, in group: inout DiscardingTaskGroup
    ) {
        for place in companions.indices { tell(place, input, at: now, in: &group) }
    }

    /// How the run ended, once all bundles are sealed.
    private var wholeOutcome: Sealed? {
        guard var sealed, companions.allSatisfy({ $0.sealed != nil }) else { return nil }
        sealed.companions = companions.compactMap(\.sealed)
        sealed.problem = sealed.problem ?? sealed.companions.lazy.compactMap(\.problem).first
        sealed.refusal = sealed.refusal ?? sealed.companions.lazy.compactMap(\.refusal).first
        return sealed
    }

    private mutating func perform(_ chores: [Shell.Chore], in group: inout DiscardingTaskGroup) {
        for chore in chores {
            switch chore {
            case .carryOut(let effect, let instant, let planned):
                perform(shell.perform(effect, at: instant, planned: planned), in: &group)
            case .later(let instant, let input): send(input, at: instant, in: &group)
            case .update(let update): show(update)
            case .write(let command): write(command, in: &group)
            case .place(let sound, let voice, let instant):
                let (playback, length) = sitting.player.place(sound, as: voice, at: instant)
                perform(shell.placed(sound, as: voice, at: instant, playback, length: length), in: &group)
            case .changeSound(let voice, let tempo, let gain, let instant):
                if let (change, length) = sitting.player.change(voice, tempo: tempo, gain: gain, at: instant)
                {
                    perform(shell.changed(voice, change, length: length, at: clock.now), in: &group)
                }
            case .stopSound(let voice, let instant, let fade):
                sitting.player.stop(voice, at: instant, fading: fade)
            case .askOutcome(let voice, let instant):
                let outcome = sitting.player.outcome(of: voice)
                perform(shell.take(outcome, of: voice, at: instant), in: &group)
            case .listen(let key, let format, let start): listen(key, format, from: start)
            case .stopListening(let key, let instant): stopListening(key, at: instant)
            case .allocate(let levels):
                allocate(levels, in: &group)
            case .startProgram(let step, let ordinal): start(step, ordinal: ordinal, in: &group)
            case .tellProgram(let line): program?.say(line)
            case .stopProgram:
                program?.stop()
                program = nil
            case .seal(let results, let reason, let end): seal(results, reason, at: end)
            case .reply(let request, let problem): request.reply(problem)
            case .leave(let sealed): self.sealed = sealed
            }
        }
    }

    private mutating func allocate(_ levels: [String], in group: inout DiscardingTaskGroup) {
        let participant = sitting.seat.plan.participant
        switch sitting.armSource {
        case .local(let source):
            perform(shell.take(.event(source(participant, levels)), at: clock.now), in: &group)
        case .remote(let source):
            group.addTask { [inputs] in await source(participant, levels) { inputs.send(.event($0)) } }
        case nil:
            perform(
                shell.take(.event(.notAllocated("no ledger was given")), at: clock.now), in: &group)
        }
    }

    /// Starts the program of a step. The run does not end before the program has ended.
    private mutating func start(_ step: ProgramStep, ordinal: Int, in group: inout DiscardingTaskGroup) {
        let program = LineProgram(step.command(in: sitting.programFolder))
        self.program = program
        group.addTask { [inputs] in await program.run { inputs.send(.program(ordinal, $0)) } }
    }

    private func send(_ input: Shell.Input, at instant: RunInstant, in group: inout DiscardingTaskGroup) {
        group.addTask { [clock, inputs] in
            do { try await clock.sleep(until: instant, tolerance: nil) } catch { return }
            inputs.send(input)
        }
    }

    private func show(_ update: ScreenUpdate) {
        if case .batteryLow(let source, let percent) = update {
            sitting.seat.observer?(.batteryLow(source, percent: percent, at: clock.now))
        }
        if case .soundLevel(let level) = update { sitting.seat.observer?(.soundLevel(level, at: clock.now)) }
        if sitting.prompter != nil { screen.yield(update) }
    }

    private mutating func write(_ command: WriteCommand, in group: inout DiscardingTaskGroup) {
        if case .journal(let event, let instant, let effects) = command {
            sitting.seat.observer?(.happened(event, at: instant, effects))
            if event.isShared {
                tellCompanions(.beside(.happened(event, at: instant)), at: instant, in: &group)
            }
        }
        batch.add(command)
    }

    private mutating func listen(
        _ key: RecorderKey, _ format: RecorderConfiguration.SoundFormat, from start: RunInstant
    ) {
        let path = sitting.output + "/" + soundPath(key, format)
        takes[key] = sitting.microphone?.record(path, format, start) { [inputs] in
            inputs.send(.recorder(key, .microphone($0)))
        }
    }

    private mutating func stopListening(_ key: RecorderKey, at instant: RunInstant) {
        guard let take = takes.removeValue(forKey: key) else { return }
        sitting.microphone?.stop(take, instant)
    }

    private mutating func seal(_ results: [StepResult], _ reason: FinishReason, at end: RunInstant) {
        // Sound ends with the last step, however long the disk takes after it.
        lastEnd = results.map(\.end).max() ?? end
        let isAdjusted = sitting.isWallClockAdjusted(at: clock.now)
        batch.add(.seal(results, reason, at: end, isClockAdjusted: isAdjusted))
    }
}

extension Sitting {
    /// A companion's input, as far as it concerns the first participant: everybody waits for every required source, and
    /// if one bundle cannot be written, the run fails for all.
    fileprivate func besideInput(_ input: Shell.Input, of place: Int) -> Shell.Input? {
        let name = companions[place].plan.participant
        switch input {
        case .report(let source?, .live, _, _): return .beside(.source(place, source, nil))
        case .report(let source?, .lost(let problem), _, _) where companions[place].sources[source] != nil:
            return .beside(.source(place, source, "\(name): \(problem.description)"))
        case .event(.failed(let reason), _): return .event(.failed("\(name): \(reason)"))
        default: return nil
        }
    }
}
