package import ArgumentParser
import BundleReplay
import Hashing
import Physiology
import Platform
import Recordings
import Results
package import SessionPorts
package import Signals
import Sound
import StudyEngine
import StudyFile
package import StudyModel
package import StudySession
import TextFormat

/// Open sources, and their kinds.
package struct MadeSources {
    package var sources: [Identifier: any SampleSource] = [:]
    package var kinds: [Identifier: SourceConfiguration.Kind] = [:]
}

/// Where the samples of a run come from.
package struct SourceOptions: ParsableArguments {
    @Option(
        name: .customLong("source"),
        help: ArgumentHelp(
            "Replace a source of the study: " + SourceKind.help + ".",
            valueName: "name=spec"))
    package var sources: [String] = []

    @Option(
        name: .customLong("with"),
        help: ArgumentHelp(
            "Another participant who takes part in the same run, with sources given as NAME@CODE=SPEC; up to \(Gathering.largest - 1) of them.",
            valueName: "code"))
    package var others: [String] = []

    package init() {}

    package func validate() throws {
        for code in others { try ParticipantOptions.validate(participant: code) }
        guard others.count < Gathering.largest else {
            throw ValidationError("no more than \(Gathering.largest) participants take part in one run")
        }
    }

    /// Makes the sources of a study. Those on the command line replace its own.
    ///
    /// - Parameters:
    ///   - plan: the plan of the participant whose sources they are.
    ///   - other: that participant's code, for a companion; `nil` for the first participant.
    ///   - folder: the folder of the study file; the study's own paths are relative to it.
    ///   - pace: live sources cannot run faster than real time.
    ///   - remarks: takes remarks of sources for the end of the run.
    package func make(
        for study: Study, plan: RunPlan, of other: String? = nil, folder: String, pace: RunLoop.Pace,
        tokens: TokenOptions, remarks: SourceRemarks
    ) throws -> MadeSources {
        var made = MadeSources()
        try mustBeUsed(by: study, plan, of: other)
        for (name, configuration) in try configurations(for: study, folder: folder, of: other) {
            if configuration.isLive, pace != .realTime(speed: 1) {
                throw StudyFailure(
                    "the source '\(Self.name(name, of: other))' is live and cannot run faster: leave out --speed, "
                        + "or give --source \(Self.name(name, of: other))=simulated", .usage)
            }
            plan.warnOfHaste(of: name, configuration)
            made.sources[name] = try Self.source(
                configuration, named: name, plan: plan, pace: pace, tokens: tokens, remarks: remarks)
            made.kinds[name] = configuration.kind
        }
        return made
    }

    /// Whether standard input is a source, so that the participant's keys must come from elsewhere.
    package func readsStandardInput(for study: Study) throws -> Bool {
        try owners.contains { owner in
            try configurations(for: study, folder: "", of: owner).values.contains(.push(.standardInput))
        }
    }

    /// - Parameter other: whose sources they are. What the study names is the first participant's, except for
    ///   simulated sources, of which everybody has one.
    package func configurations(
        for study: Study, folder: String, of other: String? = nil
    ) throws -> [Identifier: SourceConfiguration] {
        var configurations: [Identifier: SourceConfiguration] = [:]
        for source in study.sources where other == nil || source.configuration.kind == .simulated {
            configurations[source.identifier] = source.configuration.resolved(in: folder)
        }
        for given in try given(for: other) {
            do throws(SourceSpecProblem) {
                configurations[given.name] = try SourceConfiguration(spec: given.spec)
            } catch {
                throw StudyFailure(error.description, .usage)
            }
        }
        return configurations
    }

    /// A simulated heart for every source of a study, whatever the study says. Each participant has their own
    /// heart, the same in all sessions.
    ///
    /// - Parameter answersMusic: whether hearts respond to music on average. If not, persons still differ.
    package static func simulated(
        for study: Study, plan: RunPlan, answersMusic: Bool = true
    ) throws -> MadeSources {
        var made = MadeSources()
        for name in plan.sourceNames {
            var heart = SimulatedSource()
            heart.restingRate = Self.averageRate
            if case .simulated(let told)? = study.source(name)?.configuration { heart = told }
            var person = person(of: plan)
            if !answersMusic { person.responseAbove -= heart.musicResponse }
            made.kinds[name] = .simulated
            made.sources[name] = try source(
                .simulated(heart), named: name, plan: plan, pace: .virtual, tokens: TokenOptions(),
                remarks: SourceRemarks(), person: person)
        }
        return made
    }

    /// The average resting rate of adults, per minute.
    private static let averageRate = 68.0

    private static func person(of plan: RunPlan) -> SimulatedPerson {
        var everySession = plan
        everySession.session = 0
        var random = SplitMix64(seed: SHA256.streamSeed(of: everySession.streamText("person")))
        return SimulatedPerson(using: &random)
    }

    private static func source(
        _ configuration: SourceConfiguration, named name: Identifier, plan: RunPlan, pace: RunLoop.Pace,
        tokens: TokenOptions, remarks: SourceRemarks, person: SimulatedPerson? = nil
    ) throws -> any SampleSource {
        let recorders = plan.recorders.filter { $0.sourceName == name }
        var signals = Set(recorders.map(\.needed))
        if name == "heartRate" { signals.insert(.heartRate) }
        let seed = SHA256.streamSeed(of: plan.streamText("source/\(name)"))
        var setting = SourceSetting(
            signals: signals, random: SplitMix64(seed: seed), isVirtual: pace == .virtual,
            token: environmentVariable("ENTRAIN_TOKEN"), remarks: remarks)
        (setting.person, setting.recorders) = (person, recorders)
        return try configuration.open(setting)
    }

    /// The source of a heart that `--source` gives, without a study.
    package static func heart(
        _ text: String, remarks: SourceRemarks
    ) throws -> (source: any SampleSource, kind: SourceConfiguration.Kind) {
        let configuration: SourceConfiguration
        do throws(SourceSpecProblem) {
            configuration = try SourceConfiguration(
                spec: text.hasPrefix("heartRate=") ? String(text.dropFirst("heartRate=".count)) : text)
        } catch {
            throw StudyFailure(error.description, .usage)
        }
        guard configuration.gives(.heartRate) else {
            throw StudyFailure("a \(configuration.kind.rawValue) gives no heart rates", .usage)
        }
        let setting = SourceSetting(
            signals: [.heartRate], random: SystemRandomNumberGenerator(), isVirtual: false,
            token: environmentVariable("ENTRAIN_TOKEN"), remarks: remarks)
        return (try configuration.open(setting), configuration.kind)
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

    /// Recorders without a source, by that source. Those that keep their step from starting come first.
    package func unsourcedRecorders(
        given sources: some Collection<Identifier>
    ) -> [(recorder: RecorderConfiguration, source: Identifier)] {
        var named: Set<Identifier> = []
        let all = recorders.compactMap { recorder in recorder.sourceName.map { (recorder, $0) } }
            .filter { !sources.contains($0.1) }
        return (all.filter(\.0.isRequired) + all.filter { !$0.0.isRequired })
            .filter { named.insert($0.0.identifier).inserted }
    }
}
