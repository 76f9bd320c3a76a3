import ArgumentParser

@main
struct Entrain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Runs research studies written in YAML.")
}
