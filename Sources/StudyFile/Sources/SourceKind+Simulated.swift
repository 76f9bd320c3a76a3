import StudyModel
import TextFormat

extension SourceKind {
    /// A simulated heart.
    static let simulated = SourceKind(
        variant: .init(
            word: "simulated", description: "a simulated heart", fields: settings.map(\.field.declaration)
        ) { fields in
            var heart = SimulatedSource()
            for setting in settings {
                if let value = fields[setting.field] { heart[keyPath: setting.path] = value }
            }
            checkRates(of: heart, fields)
            return .simulated(heart)
        },
        spellings: [
            Spelling(
                word: "simulated", form: "simulated", meaning: "a simulated heart with a strap",
                examples: ["simulated", "simulated:restingRate=70"], sample: .simulated(SimulatedSource())
            ) { settings throws(SourceSpecProblem) in .simulated(try SimulatedSource(settings: settings)) }
        ])

    /// A number for a simulated heart, given in a study or on the command line.
    fileprivate struct Setting {
        var field: Field<Double>
        var path: WritableKeyPath<SimulatedSource, Double>
        var range: ClosedRange<Double>

        init(
            _ key: String, _ path: WritableKeyPath<SimulatedSource, Double>, _ range: ClosedRange<Double>,
            usual: JSON, _ title: String, _ description: String, example: JSON
        ) {
            field = Field(key, .number(range), usual: usual, title, description, example: example)
            (self.path, self.range) = (path, range)
        }

        var name: String { field.declaration.key }
    }

    fileprivate static var settings: [Setting] {
        [
            Setting(
                "restingRate", \.restingRate, 30...220, usual: 64, "Resting rate",
                "Heart rate at rest, beats per minute.", example: 64),
            Setting(
                "maximumRate", \.maximumRate, 30...240, usual: 185, "Highest rate",
                "Highest heart rate, beats per minute; above restingRate.", example: 185),
            Setting(
                "musicResponse", \.musicResponse, -30...30, usual: 1.5, "Response to music",
                "How much music of full energy changes the rate, beats per minute.", example: 1.5),
            Setting(
                "variability", \.variability, 0...3, usual: 1, "Variability",
                "Relative size of the natural variability; 1 is a typical adult, 0 a metronome.", example: 1),
            Setting(
                "dropouts", \.dropouts, 0...1, usual: 0, "Drop-outs",
                "Share of the notifications that are lost.", example: 0.02),
            Setting(
                "duplicates", \.duplicates, 0...1, usual: 0, "Duplicates",
                "Share of the notifications that arrive twice.", example: 0.01),
            Setting(
                "contactLoss", \.contactLoss, 0...1, usual: 0, "Loss of contact",
                "Share of the time without skin contact.", example: 0.05),
        ]
    }

    private static func checkRates(of heart: SimulatedSource, _ fields: Fields) {
        guard heart.maximumRate <= heart.restingRate else { return }
        let places = settings.prefix(2).map(\.field)
        let given = places.last { fields.node($0) != nil } ?? places[0]
        fields.reading.report(
            .outOfRange, "the highest rate must be above the resting rate", at: fields.place(of: given),
            help: "\(plainNumber(heart.maximumRate)) is not above \(plainNumber(heart.restingRate))"
        )
    }
}

extension SimulatedSource {
    /// - Parameter settings: `name=number`, separated by commas. If it is empty, the defaults are used.
    fileprivate init(settings: String) throws(SourceSpecProblem) {
        self.init()
        let known = SourceKind.settings
        var seen: Set<String> = []
        for text in settings.split(separator: ",", omittingEmptySubsequences: settings.isEmpty) {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map(String.init)
            guard let setting = known.first(where: { $0.name == parts[0] }) else {
                let names = known.map(\.name)
                throw SourceSpecProblem(
                    description: "\(quoted(parts[0])) is not a setting of a simulated source; "
                        + (Suggestion.nearest(to: parts[0], among: names).map { "did you mean '\($0)'?" }
                            ?? "there are " + names.joined(separator: ", ")))
            }
            guard parts.count == 2, let value = DecimalText.number(parts[1]),
                setting.range.contains(value)
            else {
                let (low, high) = (setting.range.lowerBound, setting.range.upperBound)
                throw SourceSpecProblem(
                    description: "\(quoted(String(text))): write \(setting.name)= and a number from "
                        + "\(plainNumber(low)) to \(plainNumber(high))")
            }
            guard seen.insert(setting.name).inserted else {
                throw SourceSpecProblem(description: "'\(setting.name)' is set twice")
            }
            self[keyPath: setting.path] = value
        }
        guard restingRate < maximumRate else {
            throw SourceSpecProblem(
                description: "restingRate (\(restingRate)) must be below maximumRate (\(maximumRate))")
        }
    }
}
