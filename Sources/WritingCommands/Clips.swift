import ArgumentParser
import BundleReplay
import Console
import Platform
import Results
import SessionPorts
import Signals
import Sound
import StudyFile
import StudyModel
import StudySession
import TextFormat

package struct Clips: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clips", abstract: "Measures and lists the clips of a catalogue, and plays one.",
        discussion: """
            Lists length, integrated loudness (EBU R 128) and true peak, and whether the file is the one \
            that the catalogue describes. Silences are listed after the others, with their length. Loudness \
            needs libebur128 (apt install libebur128-1).
            """)

    @Argument(help: "The catalogue.", completion: .file(extensions: ["yaml", "yml"]))
    var catalogue: String

    @Option(help: "Play the clip of this name.")
    var play: String?

    @Option(
        help: ArgumentHelp(
            "Where to play it: auto (the system's output), device:NAME, or file:OUT.wav.",
            valueName: "auto|file:…|device:…"))
    var audio = AudioChoice.automatic

    @Option(help: "'text' for people, 'json' for programs.")
    var format = OutputFormat.text

    func validate() throws {
        if play != nil, audio == .none { throw ValidationError("with --audio none there would be no sound") }
    }

    func run() async throws {
        let clips = try await reporting { try await load() }
        if let play {
            try await reporting { try await playClip(play, of: clips.map(\.clip)) }
            return
        }
        switch format {
        case .json: Output.say(json: JSON.list(clips.map(\.json)))
        case .text:
            Output.emit(.lines(Self.table(clips)))
            if !ClipMeasurement.canMeasureLoudness {
                Output.remark("Loudness was not measured: that needs libebur128 (apt install libebur128-1).")
            }
        }
    }

    /// A clip with its measurements.
    struct Row: Hashable, Sendable {
        var clip: Stimulus
        /// `nil` for silence and clicks, which have no file.
        var figures: ClipFigures?

        var length: Duration { figures?.length ?? clip.duration ?? .zero }
    }

    private func load() async throws -> [Row] {
        let text: [UInt8]
        switch FileContents.read(catalogue, limit: 1 << 20) {
        case .success(let bytes): text = bytes
        case .failure(let problem):
            let reason =
                if case .system(let code) = problem { systemMessage(code) } else { "it is too large" }
            throw StudyFailure(
                "cannot read the catalogue '\(catalogue)': \(reason); name a file such as 'Media/clips.yaml'",
                .missing)
        }
        let parsed = ParsedCatalogue(text, named: catalogue, library: .beside(study: catalogue))
        let findings = await ClipChecks.measure(parsed.uses, besides: catalogue)
        let diagnostics = parsed.diagnostics + findings.unreadable
        guard diagnostics.isEmpty else {
            Output.emit(.coloured(diagnostics.rendered(isColoured: Terminals.isColoured)))
            throw ExitCode.badData
        }
        return parsed.uses.entries.compactMap { entry in
            findings.figures[entry.clip.path].map { Row(clip: entry.clip, figures: $0) }
        } + parsed.uses.withoutFile.map { Row(clip: $0, figures: nil) }
    }

    private func playClip(_ name: String, of clips: [Stimulus]) async throws {
        guard let clip = clips.first(where: { $0.identifier.text == name }) else {
            let names = clips.map(\.identifier.text)
            let help = Suggestion.help(for: name, among: names, all: "the clips are").map { "; " + $0 } ?? ""
            throw StudyFailure("there is no clip '\(printable(name))'\(help)", .usage)
        }
        let folder = FilePath.prefix(of: catalogue)
        do throws(SoundFailure) {
            guard !clip.isSilent else {
                throw SoundFailure("'\(clip.identifier)' is silence: there is nothing to hear")
            }
            var clip = clip
            if clip.hasFile { clip.path = folder + clip.path }
            let score = try Score(playing: clip)
            let player: any StimulusPlayer =
                switch audio {
                case .none, .automatic: try DevicePlayer(score, on: AudioSystem.devices().output(named: nil))
                case .device(let name): try DevicePlayer(score, on: AudioSystem.devices().output(named: name))
                case .file(let path): try FilePlayer(score, writing: path)
                }
            Output.say("\(clip.identifier): \(printable(clip.title ?? clip.file))")
            try await Self.play(clip, by: player)
        } catch {
            throw StudyFailure(error.description, .missing)
        }
    }

    private static func play(_ clip: Stimulus, by player: any StimulusPlayer) async throws(SoundFailure) {
        let isRealTime = player.name == "device"
        let problem = await RunLoop.with { loop -> String? in
            let clock = loop.clock(isRealTime ? .realTime(speed: 1) : .virtual)
            player.begin(on: clock)
            let placed = player.place(Sound(.clip(clip)), as: 1, at: .start)
            let end = RunInstant.start.advanced(by: placed.length ?? .zero)
            do { try await clock.sleep(until: end, tolerance: nil) } catch { return "interrupted" }
            let problem = await player.finish(at: end)
            return problem ?? player.outcome(of: 1).problem
        }
        if let problem { throw SoundFailure(problem) }
    }

    static func table(_ rows: [Row]) -> String {
        let head = ["identifier", "title", "length", "loudness", "peak", "file"]
        let attributes = ["tempo", "mode", "mood", "energy"].filter { key in
            rows.contains { $0.clip.attributes[key] != nil }
        }
        let body = rows.map { row in
            [
                row.clip.identifier.text, printable(row.clip.title ?? ""),
                oneDecimal(row.length / .seconds(1)) + " s",
                row.figures?.loudness.map { oneDecimal($0) + " LUFS" } ?? "–",
                row.figures.map { oneDecimal($0.peak) + " dBTP" } ?? "–",
                row.sum,
            ] + attributes.map { printable(row.clip.attributes[$0] ?? "") }
        }
        return aligned([head + attributes] + body).map { $0 + "\n" }.joined()
    }
}

extension Clips.Row {
    /// Whether the file is the one that the catalogue describes.
    fileprivate var sum: String {
        guard let figures else { return clip.isClicks ? "clicks" : "silence" }
        return clip.sha256.map { $0 == figures.sha256 ? "as described" : "CHANGED" } ?? "not described"
    }

    fileprivate var json: JSON {
        var members: [String: JSON] = [
            "identifier": .text(clip.identifier.text), "seconds": .real(length / .seconds(1)),
            "catalogue": .members(clip.attributes.mapValues { .text($0) }),
        ]
        members["title"] = clip.title.map { .text($0) }
        guard let figures else { return .members(members.merging(["isSilence": true]) { $1 }) }
        (members["file"], members["sha256"]) = (.text(clip.file), .text(figures.sha256))
        members["truePeak"] = .real(figures.peak)
        members["loudness"] = figures.loudness.map { .real($0) }
        members["isAsDescribed"] = clip.sha256.map { .boolean($0 == figures.sha256) }
        return .members(members)
    }
}
