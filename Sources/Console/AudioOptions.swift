import ArgumentParser
import BundleReplay
package import SessionPorts
import Sound
package import StudyModel
package import StudySession
import Terminal
import TextFormat

/// Where the sounds of a run go.
package enum AudioChoice: ExpressibleByArgument, Hashable, Sendable {
    case automatic
    case none
    case file(String)
    case device(String)

    package init?(argument: String) {
        let parts = argument.split(separator: ":", maxSplits: 1).map(String.init)
        switch (parts.first, parts.count) {
        case ("auto", 1): self = .automatic
        case ("none", 1): self = .none
        case ("file", 2): self = .file(parts[1])
        case ("device", 2): self = .device(parts[1])
        case (_, _): return nil
        }
    }

    package var defaultValueDescription: String { "auto" }
}

/// The options about sound.
package struct AudioOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where sound goes: auto (the system's output at speed 1), none, device:NAME, or file:OUT.wav for "
                + "exactly what would have been heard.", valueName: "auto|none|file:…|device:…"))
    package var audio = AudioChoice.automatic

    package init() {}

    /// The player of a run.
    ///
    /// - Parameters:
    ///   - folder: the folder of the study file.
    ///   - pace: how fast the run's clock goes.
    package func player(
        for plan: RunPlan, language: Language?, folder: String, pace: RunLoop.Pace
    ) throws -> any StimulusPlayer {
        let (score, speech) = try score(of: plan, language: language, folder: folder)
        for clip in score.changed {
            Output.warn(.warnClip, clip.text, in: language)
        }
        guard !score.isEmpty || plan.task.isAudioRequired else { return SilentPlayer() }
        do throws(SoundFailure) {
            let task = plan.task.isAudioRequired ? plan.task.identifier : nil
            let player = try player(
                for: score, language, pace: pace, neededBy: task,
                keeping: plan.task.isLatencyLow ? .low : .usual)
            if plan.task.isLatencyLow, player.delay > Self.lowLatency {
                Output.warn(.warnLatency, "\(Int(player.delay / .milliseconds(1)))", in: language)
            }
            if player.isAudible, let words = score.unspoken.first {
                let reason =
                    TextReference.all(in: words).isEmpty
                    ? speech.problem ?? "the system's voice does not" : "its words depend on the run"
                let others = score.unspoken.count - 1
                Output.remark(
                    "'\(printable(words))' cannot be spoken (\(reason)): it is only shown"
                        + (others > 0 ? ", and so are \(others) more." : "."))
            }
            return player
        } catch {
            throw StudyFailure(error.description, .missing)
        }
    }

    /// Whether a run plays anything.
    ///
    /// - Throws: `StudyFailure` if a clip cannot be read.
    package func isNeeded(by plan: RunPlan, folder: String) throws -> Bool {
        try plan.task.isAudioRequired || !score(of: plan, language: nil, folder: folder).score.isEmpty
    }

    private func score(
        of plan: RunPlan, language: Language?, folder: String
    ) throws -> (score: Score, speech: Speech) {
        var speech = Speech()
        do throws(SoundFailure) {
            let score = try Score(of: plan, language: language, folder: folder) { words, language in
                speech.samples(of: words, in: language)
            }
            return (score, speech)
        } catch {
            throw StudyFailure(error.description, .badStudy)
        }
    }

    /// What 'latency: low' asks for at most.
    private static let lowLatency = Duration.milliseconds(60)

    /// - Parameter task: a task that needs sound.
    private func player(
        for score: Score, _ language: Language?, pace: RunLoop.Pace, neededBy task: Identifier?,
        keeping reserve: DevicePlayer.Reserve
    ) throws(SoundFailure) -> any StimulusPlayer {
        switch audio {
        case .none: return try silence("--audio none", task)
        case .file(let path): return try FilePlayer(score.withLibraries(), writing: path)
        case .device(let name):
            guard pace == .realTime(speed: 1) else {
                throw SoundFailure("a device plays at speed 1 only; use --audio file:OUT.wav or none")
            }
            return try device(score, named: name, reserve)
        case .automatic:
            guard pace == .realTime(speed: 1) else {
                let player = try silence("a device plays at speed 1 only", task)
                Output.remark("No sound at this speed: the clips keep their length.")
                return player
            }
            do throws(SoundFailure) {
                return try device(score, named: nil, reserve)
            } catch {
                let player = try silence(error.description, task)
                Output.warn(.warnNoSound, error.description, in: language)
                return player
            }
        }
    }

    private func device(
        _ score: Score, named name: String?, _ reserve: DevicePlayer.Reserve
    ) throws(SoundFailure) -> DevicePlayer {
        try DevicePlayer(
            score.withLibraries(), on: AudioSystem.devices().output(named: name), keeping: reserve)
    }

    private func silence(_ reason: String, _ task: Identifier?) throws(SoundFailure) -> SilentPlayer {
        guard let task else { return SilentPlayer() }
        throw SoundFailure("the task '\(task)' needs sound (audio: required): \(reason)")
    }

    @Option(
        help: ArgumentHelp(
            "Where the microphone's sound comes from: auto (the system's input at speed 1), none, or device:NAME.",
            valueName: "auto|none|device:…"))
    package var microphone = AudioChoice.automatic

    /// The microphone of a run; `nil` if nothing has to be recorded, or nothing can be.
    package func microphone(for plan: RunPlan, language: Language?, pace: RunLoop.Pace) throws -> Microphone?
    {
        let recorders = plan.audioRecorders
        guard !recorders.isEmpty else { return nil }
        do throws(SoundFailure) {
            switch microphone {
            case .none: throw SoundFailure("--microphone none")
            case .file: throw SoundFailure("a microphone cannot be a file")
            case .automatic, .device:
                guard pace == .realTime(speed: 1) else {
                    throw SoundFailure("a microphone works at speed 1 only")
                }
                let name: String? = if case .device(let name) = microphone { name } else { nil }
                return try MicrophoneInput(AudioSystem.devices().input(named: name)).microphone
            }
        } catch {
            if recorders.contains(where: \.isRequired) {
                throw StudyFailure("the recorder needs a microphone: \(error)", .missing)
            }
            Output.warn(.warnNoMicrophone, error.description, in: language)
            return nil
        }
    }
}

extension RunPlan {
    fileprivate var audioRecorders: [RecorderConfiguration] {
        let ofSteps = allEntries.flatMap(\.step.recorders)
        return (ofSteps + task.recorders.map(\.recorder)).filter { $0.signal.form == .sound }
    }
}
