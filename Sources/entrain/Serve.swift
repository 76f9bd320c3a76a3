import ArgumentParser

struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Takes heart rates in and shows them in a browser.",
        discussion: """
            Only this machine can connect unless --host says otherwise. Another address needs a token, and \
            encryption: a certificate, or a reverse proxy that has one.
            """)

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 takes any that is free, and says which.")
    var port = 8080

    @OptionGroup var data: MonitorDataOptions

    @Option(help: ArgumentHelp("The certificate and those that vouch for it, PEM.", valueName: "file"))
    var certificate: String?

    @Option(help: ArgumentHelp("The certificate's private key, PEM.", valueName: "file"))
    var key: String?

    @Option(
        help: ArgumentHelp(
            "The address of the reverse proxy that encrypts; nobody else may connect.", valueName: "address"))
    var behindProxy: String?

    @Flag(help: "Serve another address without encryption. Anyone between can read heart rates and tokens.")
    var insecure = false

    @Option(help: "Requests per second that one token may make.")
    var rate = 1000

    func run() throws {
        var arguments = ["serve", "--host", host, "--port", String(port), "--rate", String(rate)]
        arguments += data.arguments
        for (name, value) in [
            ("--certificate", certificate), ("--key", key), ("--behind-proxy", behindProxy),
        ] {
            if let value { arguments += [name, value] }
        }
        if insecure { arguments.append("--insecure") }
        try reporting { try MonitorProgram.become(arguments) }
    }
}

/// Where the monitor's data lie, as `entrain-monitor` has it.
struct MonitorDataOptions: ParsableArguments {
    @Option(name: .customLong("data"), help: "The folder for the database.", completion: .directory)
    var folder = "entrain-monitor-data"

    @Option(help: "How much the database may fill, in mebibytes.")
    var quota = 10_240

    var arguments: [String] { ["--data", folder, "--quota", String(quota)] }
}
