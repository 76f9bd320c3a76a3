import Glibc
import Platform
import Results

/// What is around a run: its source and its participant.
extension Drill {
    func judgedSource(
        _ source: SourceFault, at site: CaseFolder
    ) throws(FileFailure) -> [String] {
        let words =
            ["sh", "-c", "{ \(source.script); } 3>&- 2>&- | \"$@\"", "sh", program.path]
            + arguments(out: site.output, speed: "1") + ["--source", "heartRate=stdin"]
        let outcome = try Program.run(words, in: site.scratch, atMost: .seconds(30))
        guard let code = outcome.code else { return ["the run hangs"] }
        var violations = code == 0 ? [] : ["the run ends with \(code): \(outcome.errorOutput.suffix(300))"]
        let said = Judge.Screen(outcome.said)
        if said != undisturbed.screen { violations.append("its screen differs from that with a good source") }
        return try violations
            + Judge(program: program, isThorough: true).violations(
                in: site.output, after: said, scratch: site.scratch)
    }

    func judgedMonitor(_ monitor: MonitorFault, at site: CaseFolder) throws(FileFailure) -> [String] {
        let port = try LocalPort(isOpen: monitor == .silent)
        defer { port.close() }
        let outcome = try program.run(
            arguments(out: site.output, speed: "60")
                + ["--monitor", "http://127.0.0.1:\(port.port)"], in: site.scratch)
        return try judged(
            outcome, [0], by: judge(isThorough: true), at: site,
            demanding: Judge.Demand(latestOrigin: 60))
    }

    /// Plays a clip of 8 s, which is longer than its step of 5 s.
    func judgedSound(_ sound: SoundFault, at site: CaseFolder) throws(FileFailure) -> [String] {
        let scratch = try Folder(site.scratch)
        try scratch.write(SoundCard.clip, to: "tone.wav", isDurable: false)
        try scratch.write(Array(SoundCard.catalogue.utf8), to: "clips.yaml", isDurable: false)
        try scratch.write(Array(SoundCard.study.utf8), to: "sound.yaml", isDurable: false)
        let words = Self.arguments("\(site.scratch)/sound.yaml", out: site.output, speed: "1")
        let outcome = try Program.run(
            SoundCard.command(sound, [program.path] + words, in: site.scratch), in: site.scratch,
            atMost: .seconds(40))
        guard let code = outcome.code else { return ["the run hangs"] }
        var violations = code == 0 ? [] : ["the run ends with \(code): \(outcome.errorOutput.suffix(300))"]
        violations += try Judge(program: program, isThorough: true).violations(
            in: site.output, after: Judge.Screen(outcome.said), scratch: site.scratch)
        guard let name = try Judge.bundles(in: site.output).first else { return violations }
        let visits = try ResultBundle(at: "\(site.output)/\(name)").visits
        let clip = visits.lazy.compactMap(\.clip).first
        if clip?.onset == nil { violations.append("the clip was not heard") }
        switch (sound, clip?.problem) {
        case (.steady, let problem?): violations.append("the clip was not heard as planned: \(problem)")
        case (.unplugged, nil): violations.append("the result does not say that the clip was cut off")
        case (.steady, nil), (.unplugged, _?): break
        }
        return violations
    }

    /// - Parameter patience: after which the terminal is gone; `nil` if the person stays to the end.
    func judgedTerminal(hangingUp patience: Duration?, at site: CaseFolder) throws(FileFailure) -> [String] {
        let person = try Participant()
        let words =
            ["setsid", "--ctty", "--wait"]
            + program.words(faults: mistake.isEmpty ? nil : site.faults(mistake))
            + ["run", study, "--participant", "P01", "--plain", "--speed", "10", "--out", site.output]
        person.start(patience: patience)
        let end = unsafe ProcessGroup.run(words, atMost: .seconds(30)) { actions in
            for descriptor in Int32(0)...2 {
                unsafe posix_spawn_file_actions_addopen(&actions, descriptor, person.terminal, O_RDWR, 0)
            }
        }
        person.leave()
        let shown = Judge.Screen(person.shown)
        var violations: [String] = []
        switch end {
        case .code(0) where shown.isOver || patience != nil: break
        case .code(130) where patience != nil, .code(129) where patience != nil: break
        case .code(let code): violations.append("the run ends with \(code): \(person.shown.suffix(300))")
        case .stopped, .interrupted: return ["the run hangs"]
        case .neverBegan(let error): throw FileFailure("start", words[0], .system(code: error))
        }
        violations += try Judge(program: program, isThorough: false).violations(
            in: site.output, after: shown, scratch: site.scratch)
        guard shown.saved > 1, let name = try Judge.bundles(in: site.output).first else { return violations }
        let visits = try ResultBundle(at: "\(site.output)/\(name)").visits
        let answers = visits.filter { !$0.isSkipped }.flatMap(\.answers)
        for answer in answers where answer.prompt == nil {
            guard let typed = Participant.answered[answer.question], answer.words != typed else { continue }
            violations.append(
                "'\(typed)' was typed for '\(answer.question)', and stored is '\(answer.words)'")
        }
        if !answers.contains(where: { $0.question == "effort" }) {
            violations.append("an answer was typed, and the result does not have it")
        }
        return violations
    }
}

/// A port of this machine at which nobody answers.
private struct LocalPort {
    let port: Int
    private let socket: Int32

    /// - Parameter isOpen: whether it takes connections.
    init(isOpen: Bool) throws(FileFailure) {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = socket
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
                unsafe bind(socket, general, size) == 0 && getsockname(socket, general, &size) == 0
            }
        }
        guard isBound, !isOpen || listen(socket, 16) == 0 else {
            throw FileFailure("listen", "127.0.0.1", .system(code: errno))
        }
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    func close() { Glibc.close(socket) }
}
