import ArgumentParser
import Physiology
import Recordings

/// What the user says about a recording whose file does not say it.
struct GuideOptions: ParsableArguments {
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "What the values are, if no name says so: 'hr' (beats per minute), 'rr' (intervals) or 'ecg' (a voltage in "
                + "which beats are detected); rr=NAME chooses a column.", valueName: "values"))
    var values: String?

    @Option(
        help: ArgumentHelp(
            "The column that holds the times, or 'none' if the rows just follow each other.",
            valueName: "column"))
    var time: String?

    @Option(
        help: ArgumentHelp(
            "With --as ecg: samples a second, if no column holds their times.", valueName: "hertz"))
    var rate: Double?

    /// Everything that the user said.
    var guide: RecordingGuide {
        RecordingGuide(values: values, times: time, rate: rate) ?? RecordingGuide()
    }

    func validate() throws {
        guard let guide = RecordingGuide(values: values, times: time) else {
            throw ValidationError("--as is 'hr', 'rr' or 'ecg', with a column as in rr=NAME")
        }
        guard let rate else { return }
        guard guide.values == .ecg else { throw ValidationError("--rate belongs to --as ecg") }
        guard ECGDetector.rates.contains(rate) else {
            throw ValidationError("--rate takes 100 to 4000 samples a second")
        }
    }
}
