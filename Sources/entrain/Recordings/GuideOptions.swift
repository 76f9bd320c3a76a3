import ArgumentParser
import Recordings

/// What the user says about a recording whose file does not say it.
struct GuideOptions: ParsableArguments {
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "What the values are, if no name says so: 'hr' (beats per minute) or 'rr' (intervals); rr=NAME chooses a "
                + "column.", valueName: "values"))
    var values: String?

    @Option(
        help: ArgumentHelp(
            "The column that holds the times, or 'none' if the rows just follow each other.",
            valueName: "column"))
    var time: String?

    /// Everything that the user said.
    var guide: RecordingGuide { RecordingGuide(values: values, times: time) ?? RecordingGuide() }

    func validate() throws {
        guard RecordingGuide(values: values, times: time) != nil else {
            throw ValidationError("--as is 'hr' or 'rr', with a column as in rr=NAME")
        }
    }
}
