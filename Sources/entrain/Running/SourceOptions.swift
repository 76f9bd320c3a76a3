import ArgumentParser
import BundleReplay
import MonitorClient
import Platform
import Recordings
import Results
import Signals
import Sound
import StudyEngine
import StudyModel
import StudySession
import TextFormat

/// Where the samples of a run come from.
struct SourceOptions: ParsableArguments {
    @Option(
        name: .customLong("source"),
        help: ArgumentHelp(
            "Replace a source of the study: simulated, simulated:restingRate=70, replay:FILE, camera:/dev/video0, camera:FILE, bluetooth, bluetooth:NAME, poll:URL, push:URL, stdin, socket:PATH or lsl.",
            valueName: "name=spec"))
    var sources: [String] = []

    /// Makes the sources of a study, those on the command line in the place of its own.
    ///
    /// - Parameters:
    ///   - folder: of the study file; its own paths are relative to it.
    ///   - pace: live sources cannot run faster than real time.
    ///   - remarks: takes what sources have to say when the run is over.
    func make(
        for study: Study, plan: RunPlan, folder: String, pace: RunLoop.Pace, remarks: SourceRemarks
    ) throws -> [Identifier: any SampleSource] {
        var made: [Identifier: any SampleSource] = [:]
        for (name, configuration) in try configurations(for: study, folder: folder) {
            if configuration.isLive, pace != .realTime(speed: 1) {
                throw StudyFailure(
                    "the source '\(name)' is live and cannot run faster: leave out --speed, "
                        + "or take --source \(name)=simulated", .usage)
            }
            plan.warnOfHaste(of: name, configuration)
            made[name] = try Self.source(configuration, named: name, plan: plan, pace: pace, remarks: remarks)
        }
        return made
    }

    /// Whether standard input is a source, so that the participant's keys must come from elsewhere.
    func readsStandardInput(for study: Study) throws -> Bool {
        try configurations(for: study, folder: "").values.contains(.push(.standardInput))
    }

    private func configurations(
        for study: Study, folder: String
    ) throws -> [Identifier: SourceConfiguration] {
        var configurations: [Identifier: SourceConfiguration] = [:]
        for source in study.sources {
            configurations[source.identifier] = source.configuration.resolved(in: folder)
        }
        for text in sources {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let name = Identifier(parts[0]) else {
                throw StudyFailure(
                    "'\(printable(text))' is not a source: write NAME=SPEC, such as heartRate=replay:heart.csv",
                    .usage)
            }
            do throws(SourceSpecProblem) {
                configurations[name] = try SourceConfiguration(spec: parts[1])
            } catch {
                throw StudyFailure(error.description, .usage)
            }
        }
        return configurations
    }

    /// A simulated heart for every source of a study, whatever the study says.
    static func simulated(for study: Study, plan: RunPlan) throws -> [Identifier: any SampleSource] {
        var made: [Identifier: any SampleSource] = [:]
        for name in plan.sourceNames {
            var heart = SimulatedSource()
            if case .simulated(let told)? = study.source(name)?.configuration { heart = told }
            made[name] = try source(
                .simulated(heart), named: name, plan: plan, pace: .virtual, remarks: SourceRemarks())
        }
        return made
    }

    private static func source(
        _ configuration: SourceConfiguration, named name: Identifier, plan: RunPlan, pace: RunLoop.Pace,
        remarks: SourceRemarks
    ) throws -> any SampleSource {
        switch configuration {
        case .simulated(let heart):
            let seed = SHA256.streamSeed(of: plan.streamText("source/\(name)"))
            let hasCamera = plan.recorders.contains { $0.kind == .pulseWaveform && $0.sourceName == name }
            return SimulatedHeartSource(heart, random: SplitMix64(seed: seed), hasCamera: hasCamera)
        case .replay(let file): return ReplaySource(try HeartRateRecording(contentsOf: file))
        case .bluetooth(let strap):
            try BluetoothSource.check()
            return BluetoothSource(strap, remarks: remarks)
        case .poll(let server):
            return try PollSource(server, token: Terminals.environment("ENTRAIN_TOKEN"), remarks: remarks)
        case .push(let origin):
            try PushSource.check(origin)
            return try PushSource(origin, token: Terminals.environment("ENTRAIN_TOKEN"), remarks: remarks)
        case .lsl(let stream): return try LabStreamSource(stream)
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
                    "the camera of the source '\(name)' works in real time: leave out --speed, or try the study "
                        + "with --source \(name)=simulated", .usage)
            }
            return CameraSource(.camera(path), isVirtual: false)
        }
    }
}

extension SourceConfiguration {
    /// Whether it works in real time, which cannot run faster.
    fileprivate var isLive: Bool {
        switch self {
        case .simulated, .replay, .camera: false
        case .bluetooth, .poll, .push, .lsl: true
        }
    }

    /// The same with a path that holds from the current folder.
    fileprivate func resolved(in folder: String) -> SourceConfiguration {
        switch self {
        case .simulated, .bluetooth, .poll, .lsl, .push(.standardInput), .push(.events): self
        case .replay(let path): .replay(path: path.hasPrefix("/") ? path : folder + "/" + path)
        case .push(.socket(let path)):
            .push(.socket(path: path.hasPrefix("/") ? path : folder + "/" + path))
        case .camera(.file(let path)): .camera(.file(path: path.hasPrefix("/") ? path : folder + "/" + path))
        case .camera(.device): self
        }
    }
}

extension RunPlan {
    /// Remarks on recorders that end before a polled server is asked for the last time.
    fileprivate func warnOfHaste(of name: Identifier, _ configuration: SourceConfiguration) {
        guard case .poll(let server) = configuration,
            let hasty = recorders.first(where: { recorder in
                recorder.sourceName == name && recorder.lateSampleGrace < server.interval
            })
        else { return }
        let seconds = Int((server.interval / .seconds(1)).rounded(.up)) + 2
        Output.remark(
            "The recorder '\(hasty.identifier)' waits \(Int(hasty.lateSampleGrace / .seconds(1))) s for late "
                + "samples, and '\(name)' is asked every \(seconds - 2) s: write 'lateSampleGrace: \(seconds) s'."
        )
    }

    /// Recorders that keep their step from starting and have no source to listen to.
    func unsourcedRecorders(given sources: some Collection<Identifier>) -> [RecorderConfiguration] {
        recorders.filter { $0.isRequired && $0.sourceName.map { !sources.contains($0) } == true }
    }
}
