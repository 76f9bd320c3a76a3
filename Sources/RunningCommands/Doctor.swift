import ArgumentParser
import Console
import Glibc
import Platform
import Signals
import Sound
import StudyFile
import StudyModel
import Terminal
import TextFormat

package struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Says what of this machine works for studies, what is missing, and what mends it.",
        discussion: """
            It looks at the program and the system, the clock, the disk, sound, speech, straps and other sources, cameras, \
            the terminal and its keyboard, and programs that some commands need. Nothing is changed. What it prints can be \
            pasted into a question to others: it holds no names of participants.

            'entrain ready' looks at what one study needs before a session. The exit code is 69 if nothing could be recorded.
            """)

    @Option(
        name: [.customShort("o"), .customLong("out")],
        help: "The folder for result bundles, whose disk is looked at.",
        completion: .directory)
    var output = usualResults

    @Option(help: "'text' for people, 'json' for programs.")
    var format = OutputFormat.text

    func run() async throws {
        Output.progress("Looking: this takes some seconds …")
        let findings =
            [Self.program, Self.system, Self.locale] + Self.terminal + [Readiness.clock]
            + [disk, await Readiness.timing(in: output)] + Self.sound + Self.libraries + Self.programs
            + (await Self.sources)
        Output.progress(nil)
        switch format {
        case .json:
            Output.say(
                json: .list(
                    findings.map {
                        [
                            "state": .text($0.state.rawValue.lowercased()), "subject": .text($0.subject),
                            "words": .text($0.words),
                        ]
                    }))
        case .text:
            let lacking = findings.count { $0.state != .ok }
            let end =
                lacking == 0
                ? "Nothing is missing." : "\(counted(lacking, "thing")) to look at; the other things work."
            Output.emit(.coloured((Readiness.lines(of: findings) + [end]).joined(separator: "\n") + "\n"))
        }
        if findings.contains(where: { $0.state == .stop }) { throw ExitCode.unavailable }
    }

    private static var program: Finding {
        Finding(state: .ok, subject: "program", words: "entrain \(programVersion), \(ProgramFolder.program)")
    }

    private static var system: Finding {
        let release = Self.text(of: "/etc/os-release")
        let name = release.firstMatch(of: /PRETTY_NAME="?([^"\n]*)/).map { String($0.output.1) } ?? "Linux"
        let kernel = Self.text(of: "/proc/sys/kernel/osrelease").trimmed
        let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        let memory = Double(sysconf(Int32(_SC_PHYS_PAGES))) * Double(sysconf(Int32(_SC_PAGESIZE)))
        return Finding(
            state: .ok, subject: "system",
            words:
                "\(name), kernel \(kernel), \(counted(cores, "processor")), \(oneDecimal(memory / 1e9)) GB of memory"
        )
    }

    private static func text(of path: String) -> String {
        do throws(FileFailure) { return String(decoding: try NewFile.read(path), as: UTF8.self) } catch {
            return ""
        }
    }

    private static var locale: Finding {
        let name = Terminals.locale ?? "none"
        return Terminals.usesUnicode
            ? Finding(state: .ok, subject: "locale", words: name)
            : Finding(
                state: .look, subject: "locale",
                words: "\(name): only ASCII is shown. In a terminal that shows more: export LANG=C.UTF-8")
    }

    private static var terminal: [Finding] {
        let type = environmentVariable("TERM") ?? "no TERM"
        guard Terminals.isInputTerminal,
            let facts = TerminalProbe(input: STDIN_FILENO, output: STDOUT_FILENO)?.facts()
        else {
            return [
                Finding(
                    state: .look, subject: "terminal",
                    words: "input or output is no terminal, so nothing can be asked of it")
            ]
        }
        let isShown = TerminalPrompter.canShow(input: STDIN_FILENO, output: STDOUT_FILENO, terminalType: type)
        return [
            Finding(
                state: isShown ? .ok : .look, subject: "terminal",
                words: isShown
                    ? "\(type)\(facts.background == nil ? ", which does not tell its colours" : ""); pictures: \(facts.imageForm.words)"
                    : "\(type) shows no screens: participants get lines, as with --plain"),
            Finding(
                state: facts.keyboard.tellsHeldKeys ? .ok : .look, subject: "keyboard",
                words: facts.keyboard.tellsHeldKeys
                    ? "held keys are told from pressed ones"
                    : "the terminal does not tell held keys from pressed ones: studies with reactions measure how a held key repeats; kitty, foot and WezTerm tell it"
            ),
        ]
    }

    private var disk: Finding {
        let folder = Readiness.existing(output)
        guard unsafe access(folder, W_OK) == 0, let free = FreeSpace.bytes(at: folder) else {
            return Finding(
                state: .stop, subject: "disk",
                words: "nothing can be written to \(folder): give another folder with --out")
        }
        return Finding(
            state: free < 1e8 ? .stop : free < 1e9 ? .look : .ok, subject: "disk",
            words: "\(oneDecimal(free / 1e9)) GB free in \(folder)")
    }

    private static var sound: [Finding] {
        let devices: [AudioDevice]
        do throws(SoundFailure) { devices = try AudioSystem.devices() } catch {
            return [Finding(state: .look, subject: "sound", words: error.description)]
        }
        return [("sound", DeviceList.output(of: devices)), ("microphone", DeviceList.input(of: devices))].map
        {
            Finding(state: $1.name == nil ? .look : .ok, subject: $0, words: $1.reason)
        }
    }

    private static var libraries: [Finding] {
        SoundLibraries.missing.map { Finding(state: .look, subject: "sound", words: $0) }
    }

    /// Programs that some commands start.
    private static var programs: [Finding] {
        [
            ("speech", ["espeak-ng"], "spoken cues, and --speak", "apt install espeak-ng"),
            ("video", ["ffmpeg"], "cameras and videos", "apt install ffmpeg"),
            ("pictures", [ImageRenderer.program], "pictures in a terminal", "apt install chafa"),
            ("paper", Browser.names, "pages as PDF or PNG", "apt install chromium"),
            ("time stamps", ["openssl"], "the verification of time stamps", "apt install openssl"),
        ].map { subject, names, use, remedy in
            let found = names.lazy.compactMap { ExecutableFile.path(of: $0, in: ".") }.first
            return Finding(
                state: found == nil ? .look : .ok, subject: subject,
                words: found ?? "\(names[0]) is not installed, which is needed for \(use): \(remedy)")
        }
    }

    private static var sources: [Finding] {
        get async {
            var (usable, lacking): ([String], [Finding]) = ([], [])
            for spelling in SourceKind.spellings {
                if let problem = await spelling.sample.problem() {
                    lacking.append(Finding(state: .look, subject: spelling.word, words: problem))
                } else if !usable.contains(spelling.word) {
                    usable.append(spelling.word)
                }
            }
            let connected = ConnectedControl.all().map(\.spec) + CameraOffer.all().map(\.path)
            return [
                Finding(state: .ok, subject: "sources", words: usable.joined(separator: ", ")),
                Finding(
                    state: .ok, subject: "connected",
                    words: connected.isEmpty
                        ? "no joystick, MIDI device or camera" : connected.joined(separator: ", ")),
            ] + lacking
        }
    }
}
