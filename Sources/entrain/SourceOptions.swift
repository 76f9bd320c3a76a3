import ArgumentParser
import Devices
import Results
import StudyEngine
import StudyModel
import StudySession

/// Where the samples of a run come from.
struct SourceOptions: ParsableArguments {
    @Option(
        name: .customLong("source"),
        help: ArgumentHelp(
            "Take a source from elsewhere than the study says: simulated, simulated:restingRate=70, replay:FILE, camera:/dev/video0 or camera:FILE.",
            valueName: "name=spec"))
    var sources: [String] = []

    /// Makes the sources of a study, those on the command line in the place of its own.
    ///
    /// - Parameters:
    ///   - folder: of the study file; its own paths are relative to it.
    ///   - pace: how fast the run's time goes.
    func make(
        for study: Study, plan: RunPlan, folder: String, pace: RunLoop.Pace
    ) throws -> [Identifier: any SampleSource] {
        var configurations: [Identifier: SourceConfiguration] = [:]
        for source in study.sources {
            configurations[source.identifier] = source.configuration.resolved(in: folder)
        }
        for text in sources {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let name = Identifier(parts[0]) else {
                throw StudyFailure(
                    "'\(printable(text))' is no source: write NAME=SPEC, such as heartRate=replay:heart.csv",
                    .usage)
            }
            do throws(SourceSpecProblem) {
                configurations[name] = try SourceConfiguration(spec: parts[1])
            } catch {
                throw StudyFailure(error.description, .usage)
            }
        }
        var made: [Identifier: any SampleSource] = [:]
        for (name, configuration) in configurations {
            made[name] = try Self.source(configuration, named: name, plan: plan, pace: pace)
        }
        return made
    }

    /// A simulated heart for every source of a study, whatever the study says.
    static func simulated(for study: Study, plan: RunPlan) throws -> [Identifier: any SampleSource] {
        var made: [Identifier: any SampleSource] = [:]
        for name in plan.sourceNames {
            var heart = SimulatedSource()
            if case .simulated(let told)? = study.source(name)?.configuration { heart = told }
            made[name] = try source(.simulated(heart), named: name, plan: plan, pace: .virtual)
        }
        return made
    }

    private static func source(
        _ configuration: SourceConfiguration, named name: Identifier, plan: RunPlan, pace: RunLoop.Pace
    ) throws -> any SampleSource {
        switch configuration {
        case .simulated(let heart):
            let seed = SHA256.streamSeed(of: plan.streamText("source/\(name)"))
            let hasCamera = plan.recorders.contains { $0.kind == .pulseWaveform && $0.sourceName == name }
            return SimulatedHeartSource(heart, random: SplitMix64(seed: seed), hasCamera: hasCamera)
        case .replay(let file): return ReplaySource(try HeartRateRecording(contentsOf: file))
        case .camera(let origin): return try camera(origin, named: name, plan: plan, pace: pace)
        }
    }

    private static func camera(
        _ origin: CameraOrigin, named name: Identifier, plan: RunPlan, pace: RunLoop.Pace
    ) throws -> any SampleSource {
        switch origin {
        case .file(let path):
            try CameraSource.check(videoAt: path)
            return CameraSource(.file(path), isVirtual: pace == .virtual)
        case .device(let path):
            guard pace == .realTime(speed: 1) else {
                throw StudyFailure(
                    "the camera of the source '\(name)' goes by real time: leave out --speed, or try the study "
                        + "with --source \(name)=simulated", .usage)
            }
            return CameraSource(.camera(path), isVirtual: false)
        }
    }
}

extension SourceConfiguration {
    /// The same with a path that holds from the current folder.
    fileprivate func resolved(in folder: String) -> SourceConfiguration {
        switch self {
        case .simulated: self
        case .replay(let path): .replay(path: path.hasPrefix("/") ? path : folder + "/" + path)
        case .camera(.file(let path)): .camera(.file(path: path.hasPrefix("/") ? path : folder + "/" + path))
        case .camera(.device): self
        }
    }
}

extension RunPlan {
    /// Recorders that keep their step from starting and have no source to listen to.
    func unsourcedRecorders(given sources: some Collection<Identifier>) -> [RecorderConfiguration] {
        recorders.filter { $0.isRequired && $0.sourceName.map { !sources.contains($0) } == true }
    }
}
