package import ArgumentParser

/// `entrain serve`, which becomes `entrain-monitor serve`.
package struct Serve: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Receives heart rates and shows them in a browser.",
        discussion: """
            Only this machine can connect unless --host says otherwise. To serve other machines, the monitor needs \
            a token, and encryption: a certificate, or a reverse proxy that has one.
            """)

    @Option(help: "The address to listen on.")
    package var host = "127.0.0.1"

    @Option(help: "The port to listen on; with 0 it takes a free one, and says which.")
    package var port = 8080

    @OptionGroup package var data: DataOptions

    @Option(help: ArgumentHelp("The certificate and its chain, PEM.", valueName: "file"))
    package var certificate: String?

    @Option(help: ArgumentHelp("The certificate's private key, PEM.", valueName: "file"))
    package var key: String?

    @Option(
        help: ArgumentHelp(
            "The address of the reverse proxy that encrypts; nobody else may connect.", valueName: "address"))
    package var behindProxy: String?

    @Option(
        help: ArgumentHelp(
            "Another name by which browsers may address this machine, such as a proxy's or a tunnel's; with its port where that is not the usual one.",
            valueName: "name"))
    package var hostName: String?

    @Flag(help: "Serve other machines without encryption. Anyone on the way can read heart rates and tokens.")
    package var insecure = false

    @Option(help: "Requests per second allowed for one token.")
    package var rate = 1000

    @Option(
        name: .customLong("ledger"),
        help: ArgumentHelp(
            "Allocate participants from this folder of 'entrain allocation create'; can be repeated, once for each study.",
            valueName: "folder"), completion: .directory)
    package var ledgers: [String] = []

    @Option(
        name: .customLong("alarm"),
        help: ArgumentHelp(
            "Raise an alarm in runs whose study names none, such as 'heart rate above 170 bpm for 10 s', 'signal lost for 10 s', 'microphone silent for 30 s' or 'run dead'; can be repeated.",
            valueName: "rule"))
    package var alarms: [String] = []

    /// For a monitor that ends together with the program that started it.
    @Flag(help: .hidden)
    package var untilInputEnds = false

    package init() {}

    package func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port should be 0 to 65535") }
        guard (certificate == nil) == (key == nil) else {
            throw ValidationError("--certificate and --key belong together")
        }
        guard (1...1_000_000).contains(rate) else { throw ValidationError("--rate should be 1 to 1000000") }
        _ = try Self.rules(alarms)
    }

    /// The options as arguments of `entrain-monitor`.
    package var arguments: [String] {
        var arguments = ["serve", "--host", host, "--port", String(port), "--rate", String(rate)]
        arguments += data.arguments
        for (name, value) in [
            ("--certificate", certificate), ("--key", key), ("--behind-proxy", behindProxy),
            ("--host-name", hostName),
        ] {
            if let value { arguments += [name, value] }
        }
        arguments += ledgers.flatMap { ["--ledger", $0] } + alarms.flatMap { ["--alarm", $0] }
        return insecure ? arguments + ["--insecure"] : arguments
    }
}

/// The folder in which the monitor stores its data.
package struct DataOptions: ParsableArguments {
    @Option(name: .customLong("data"), help: "The folder for the database.", completion: .directory)
    package var folder = "entrain-monitor-data"

    @Option(help: "How large the database may grow, in mebibytes.")
    package var quota = 10_240

    package init() {}

    package func validate() throws {
        guard (1...1_000_000).contains(quota) else {
            throw ValidationError("--quota should be 1 to 1000000 mebibytes")
        }
    }

    package var arguments: [String] { ["--data", folder, "--quota", String(quota)] }
}
