import ArgumentParser
import MonitorInterface

struct Serve: ParsableCommand {
    static let configuration = ServeOptions.configuration

    @OptionGroup var options: ServeOptions

    func run() throws { try reporting { try MonitorProgram.become(options.arguments) } }
}
