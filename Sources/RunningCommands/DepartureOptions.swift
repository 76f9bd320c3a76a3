import ArgumentParser
import Console

/// How a run departs from one that begins, goes on and ends as the study says.
struct DepartureOptions: ParsableArguments {
    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp(
            "Run a session again that the participant has run already, for this reason; it is refused otherwise.",
            valueName: "reason"))
    var repeatReason: String?

    @Flag(
        name: .customLong("resume"),
        help: "Continue the participant's run that was left or killed, as far as the study allows it.")
    var resumes = false

    @Option(
        help: ArgumentHelp(
            "How the session departs from the protocol, and why; needed if the study was changed.",
            valueName: "text"))
    var deviation: String?

    @Option(
        help: ArgumentHelp(
            "The bundle of another participant's run, whose clips a study's yoked clips imitate; 'none' for a participant who comes to none of these.",
            valueName: "bundle"), completion: .directory)
    var yokedTo: String?

    func validate() throws {
        for (option, words) in [("--repeat", repeatReason), ("--deviation", deviation)] {
            guard let words else { continue }
            guard (1...500).contains(words.count), !words.allSatisfy(\.isWhitespace),
                !words.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
            else { throw ValidationError("\(option) takes a reason of 1 to 500 characters") }
        }
    }
}
