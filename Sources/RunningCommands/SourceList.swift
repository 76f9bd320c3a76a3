import ArgumentParser
import Console
import Results
import Signals
import Sound
import StudyFile
import StudyModel
import TextFormat

package struct SourceList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sources",
        abstract:
            "Lists the kinds of sources, the joysticks and MIDI devices and what cameras offer, and with --scan the straps in reach."
    )

    @Flag(help: "List the heart-rate straps in reach, with signal strength and battery.")
    var scan = false

    @Option(help: "How long to look, 1 to 60 seconds.")
    var seconds = 8.0

    @Option(help: "'text' for people, 'json' for programs.")
    var format = OutputFormat.text

    func validate() throws {
        guard (1...60).contains(seconds) else { throw ValidationError("--seconds is from 1 to 60") }
    }

    func run() async throws {
        try await reporting {
            if scan { try await listStraps() } else { await listKinds() }
        }
    }

    /// A kind of source, and why it cannot be used here, if so.
    struct Kind: Hashable {
        var spec: String
        var meaning: String
        var problem: String?
    }

    private func listKinds() async {
        var kinds: [Kind] = []
        for spelling in SourceKind.spellings {
            kinds.append(
                Kind(
                    spec: spelling.form, meaning: spelling.meaning, problem: await spelling.sample.problem()))
        }
        let (controls, cameras) = (ConnectedControl.all(), CameraOffer.all())
        switch format {
        case .text:
            Output.emit(.lines(Self.text(of: kinds) + Self.text(of: controls) + Self.text(of: cameras)))
        case .json: Output.say(json: Self.json(of: kinds, controls, cameras))
        }
    }

    static func text(of controls: [ConnectedControl]) -> String {
        controls.isEmpty
            ? ""
            : "Connected:\n"
                + controls.map { "  \($0.spec)\($0.name.isEmpty ? "" : "  \(printable($0.name))")\n" }
                .joined()
    }

    static func text(of cameras: [CameraOffer]) -> String {
        guard !cameras.isEmpty else { return "\nno camera\n" }
        return cameras.map { camera in
            let modes = camera.modes.map { "    \($0.words)\n" }.joined()
            return "\n\(camera.path)  \(camera.name)\n" + modes
                + "    exposure: \(camera.locksExposure ? "can be locked" : "cannot be locked")"
                + ", torch: \(camera.hasTorch ? "yes" : "none")\n"
        }.joined()
    }

    static func text(of kinds: [Kind]) -> String {
        let width = kinds.map(\.spec.count).max() ?? 0
        return kinds.map { kind in
            padded(kind.spec, to: width + 2) + kind.meaning
                + (kind.problem.map { "\n" + String(repeating: " ", count: width + 2) + "not here: \($0)" }
                    ?? "")
                + "\n"
        }.joined()
    }

    static func json(
        of kinds: [Kind], _ controls: [ConnectedControl] = [], _ cameras: [CameraOffer] = []
    ) -> JSON {
        [
            "connected": .list(controls.map { ["spec": .text($0.spec), "name": .text($0.name)] }),
            "cameras": .list(
                cameras.map { camera in
                    [
                        "device": .text(camera.path), "name": .text(camera.name),
                        "exposureLock": .boolean(camera.locksExposure), "torch": .boolean(camera.hasTorch),
                        "modes": .list(
                            camera.modes.map { mode in
                                [
                                    "width": .integer(mode.size.width), "height": .integer(mode.size.height),
                                    "rates": .list(mode.allRates.map { .real($0) }),
                                ]
                            }),
                    ]
                }),
            "sources": .list(
                kinds.map { kind in
                    [
                        "spec": .text(kind.spec), "meaning": .text(kind.meaning),
                        "problem": .text(kind.problem ?? ""), "usable": .boolean(kind.problem == nil),
                    ]
                }),
        ]
    }

    private func listStraps() async throws {
        let straps = try await StrapScan().straps(listening: .seconds(seconds))
        switch format {
        case .text: Output.emit(.lines(Self.text(of: straps)))
        case .json: Output.say(json: Self.json(of: straps))
        }
    }

    static func text(of straps: [FoundStrap]) -> String {
        guard !straps.isEmpty else {
            return
                "No strap is in reach. Put it on, moisten its electrodes, and disconnect it from any phone.\n"
        }
        return straps.map { strap in
            let facts = [
                strap.signal.map { "signal \($0) dBm" } ?? "connected",
                strap.battery.map { "battery \($0) %" },
                strap.location,
            ].compactMap { $0 }
            return "\(strap.address)  \(printable(strap.name))  (\(facts.joined(separator: ", ")))\n"
        }.joined() + "Use one with --source heartRate=bluetooth:ADDRESS\n"
    }

    static func json(of straps: [FoundStrap]) -> JSON {
        let number = { (value: Int?) in value.map(JSON.integer) ?? .null }
        return [
            "straps": .list(
                straps.map { strap in
                    [
                        "address": .text(strap.address), "name": .text(strap.name),
                        "signal": number(strap.signal), "battery": number(strap.battery),
                        "location": strap.location.map(JSON.text) ?? .null,
                    ]
                })
        ]
    }
}
