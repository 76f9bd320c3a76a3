import StudyTesting
import Testing

@Suite struct HelpTests {
    let program = Program()

    @Test(
        arguments: [
            "", "init", "examples", "try", "doctor", "check", "explain", "schema", "plan", "rehearse",
            "people", "docs", "power",
            "drill", "ready", "run",
            "mark", "control", "desk",
            "recover",
            "show",
            "verify",
            "protocol", "withdraw", "import", "hrv", "zones", "pulse", "sources", "collate", "analyse",
            "clips",
            "devices", "report",
            "export",
            "serve", "token", "token create", "token list", "token revoke", "deliver", "relay", "freeze",
            "audit",
            "deviations", "next", "study log", "translate", "translate extract", "translate merge",
        ])
    func `help reads as documented`(command: String) {
        let outcome = program.run("\(command) --help")
        #expect(outcome.code == 0)
        let words = command.split(separator: " ").map { "-" + $0 }.joined()
        let name = "help\(words).txt"
        let difference = goldenDifference(outcome.output, name)
        #expect(difference == nil, "\(difference ?? "")")
    }

    @Test(arguments: ["--version", "frobnicate"])
    func `leaves the clean-up of its libraries to the system`(arguments: String) {
        let outcome = program.run(arguments, environment: "LD_DEBUG=files LD_DEBUG_OUTPUT=loader")
        #expect(outcome.code == (arguments == "--version" ? 0 : 64))
        #expect(program.lines(of: "grep -c 'calling init' loader.*") != ["0"])
        #expect(program.lines(of: "grep -c 'calling fini' loader.*") == ["0"])
    }

    @Test func `says its version`() {
        #expect(program.run("--version").output == "0.1.0\n")
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `completes in shells`(shell: String) {
        let outcome = program.run("--generate-completion-script \(shell)")
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("rehearse"))
    }

    @Test(
        arguments: [
            "fly", "run", "run study.yaml", "run s.yaml --participant P01 --speed fast",
            "run s.yaml --participant P01 --speed max", "run s.yaml --participant '' --auto",
            "plan s.yaml --participant P01 --session 0", "rehearse s.yaml --participants 0",
            "explain no-such-code", "desk", "desk s.yaml --monitor here", "desk s.yaml -- --auto",
            "desk s.yaml -- --frobnicate",
        ])
    func `wrong usage ends with 64`(arguments: String) {
        let outcome = program.run(arguments)
        #expect(outcome.code == 64)
        #expect(!outcome.errors.isEmpty)
    }
}
