package import ArgumentParser

/// How the monitor is to be served. `entrain serve` hands all of it to `entrain-monitor`, which does it.
package struct ServeOptions: ParsableArguments {
    package static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Takes heart rates in and shows them in a browser.",
        discussion: """
            Only this machine can connect unless --host says otherwise. Another address needs a token, and \
            encryption: a certificate, or a reverse proxy that has one.
            """)

    @Option(help: "The address to listen on.")
    package var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 takes any that is free, and says which.")
    package var port = 8080

    @OptionGroup package var data: DataOptions

    @Option(help: ArgumentHelp("The certificate and those that vouch for it, PEM.", valueName: "file"))
    package var certificate: String?

    @Option(help: ArgumentHelp("The certificate's private key, PEM.", valueName: "file"))
    package var key: String?

    @Option(
        help: ArgumentHelp(
            "The address of the reverse proxy that encrypts; nobody else may connect.", valueName: "address"))
    package var behindProxy: String?

    @Flag(help: "Serve another address without encryption. Anyone between can read heart rates and tokens.")
    package var insecure = false

    @Option(help: "Requests per second that one token may make.")
    package var rate = 1000

    package init() {}

    package func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port should be 0 to 65535") }
        guard (certificate == nil) == (key == nil) else {
            throw ValidationError("--certificate and --key belong together")
        }
        guard (1...1_000_000).contains(rate) else { throw ValidationError("--rate should be 1 to 1000000") }
    }

    /// The same, as the arguments of a program.
    package var arguments: [String] {
        var arguments = ["serve", "--host", host, "--port", String(port), "--rate", String(rate)]
        arguments += data.arguments
        for (name, value) in [
            ("--certificate", certificate), ("--key", key), ("--behind-proxy", behindProxy),
        ] {
            if let value { arguments += [name, value] }
        }
        return insecure ? arguments + ["--insecure"] : arguments
    }
}

/// Where the monitor's data lie.
package struct DataOptions: ParsableArguments {
    @Option(name: .customLong("data"), help: "The folder for the database.", completion: .directory)
    package var folder = "entrain-monitor-data"

    @Option(help: "How much the database may fill, in mebibytes.")
    package var quota = 10_240

    package init() {}

    package func validate() throws {
        guard (1...1_000_000).contains(quota) else {
            throw ValidationError("--quota should be 1 to 1000000 mebibytes")
        }
    }

    package var arguments: [String] { ["--data", folder, "--quota", String(quota)] }
}
