import ArgumentParser
import Console
import Datasets
import Glibc
import Physiology
import Recordings
import Results
import Signals
import Sound
import StudyModel
import TextFormat

package struct Zones: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "zones",
        abstract: "Computes the highest heart rate for an age, and the zones and intensities below it.",
        discussion: """
            Formulas: tanaka (208 - 0.7 × age), gellish (206.9 - 0.67 × age), fox (220 - age, only to compare with \
            the results of others) and betaBlocked (164 - 0.7 × age). A person's own highest rate differs from each \
            of them by 7 to 11 per minute: if it was measured, give it with --maximum. --resting adds the intensities of \
            the American College of Sports Medicine, by the share of the reserve (Karvonen). With a FILE, which is a \
            recording or a result bundle, it shows how long the heart was in each zone.
            """)

    @Argument(help: "A recording or a result bundle.", completion: .file())
    var file: String?

    @Option(help: "Years, 1 to 120.")
    var age: Double?

    @Option(help: "The formula for the highest rate.")
    var formula = MaximumHeartRate.tanaka

    @Option(help: "The measured highest rate, per minute.")
    var maximum: Double?

    @Option(help: "The resting rate, per minute.")
    var resting: Double?

    @Option(help: "'text' for people, 'json' for programs.")
    var format = OutputFormat.text

    func validate() throws {
        guard (age == nil) != (maximum == nil) else { throw ValidationError("give --age or --maximum") }
        if let age, !(1...120).contains(age) { throw ValidationError("--age is from 1 to 120 years") }
        if let maximum, !(60...250).contains(maximum) { throw ValidationError("--maximum is from 60 to 250") }
        if let resting, HeartRateReserve(restingRate: resting, maximumRate: highest) == nil || resting < 20 {
            throw ValidationError(
                "--resting is from 20 to less than the highest rate, \(oneDecimal(highest))")
        }
    }

    /// The highest rate, per minute.
    private var highest: Double { maximum ?? formula.rate(atAge: age ?? 0) }

    func run() throws {
        try reporting {
            let bundle = try file.flatMap(Self.bundle)
            let samples = try bundle.map(Self.samples(in:)) ?? file.map(Self.samples(of:))
            let table = ZoneTable(
                maximumRate: highest, formula: maximum == nil ? formula : nil, age: age,
                reserve: resting.flatMap { HeartRateReserve(restingRate: $0, maximumRate: highest) },
                samples: samples, run: bundle?.manifest.run)
            switch format {
            case .json: Output.say(json: table.json)
            case .text: Output.emit(.lines(table.text))
            }
        }
    }

    /// The bundle; `nil` if the path is not a folder.
    private static func bundle(_ file: String) throws -> ResultBundle? {
        var status = stat()
        guard unsafe stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
        return try ResultBundle(at: file)
    }

    /// Times in seconds and rates, in order.
    private static func samples(of file: String) throws -> ZoneTable.Samples {
        try HeartRateRecording(contentsOf: file).entries
            .compactMap { entry in entry.sample.rate.map { (entry.time, $0) } }
    }

    private static func samples(in bundle: ResultBundle) throws -> ZoneTable.Samples {
        try BundleHearts(of: bundle).rates.flatMap(\.self).map { ($0.runOffset, $0.value) }
    }
}

extension MaximumHeartRate: ExpressibleByArgument {}
