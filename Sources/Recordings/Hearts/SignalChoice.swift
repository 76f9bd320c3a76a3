import TextFormat

/// Chooses the heart's signals among those of a file.
struct SignalChoice {
    /// A channel or a stream as its file describes it.
    struct Signal {
        var name: String
        /// The unit; empty if the file gives none.
        var unit: String
        /// Other indications of what it is, such as a stream's type.
        var otherNames: [String] = []
        /// Whether the file can name only leads so, such as `MLII` in a record of WFDB.
        var isLead = false
        /// Whether it contains numbers.
        var isNumeric = true

        /// The name with the unit.
        var description: String { quoted(name) + (unit.isEmpty ? "" : " (\(printable(unit)))") }
    }

    /// Indices of the signals.
    private(set) var rate: Int?
    private(set) var intervals: Int?
    private(set) var ecg: Int?
    /// What was chosen and what was not, in words.
    private(set) var assumptions: [String] = []

    /// - Parameters:
    ///   - signals: all of the file.
    ///   - kind: the word for one: `channel` or `stream`.
    ///   - guide: what the user says about it.
    /// - Throws: if none is a heart's, or several are.
    init(of signals: [Signal], kind: String, _ guide: RecordingGuide) throws(RecordingProblem) {
        let signals = Self.named(signals)
        let numeric = signals.indices.filter { signals[$0].isNumeric }
        var rates = numeric.filter { Self.meaning(of: signals[$0]) == .rates }
        var intervals = numeric.filter { Self.meaning(of: signals[$0]) == .intervals }
        let named = numeric.filter { Self.meaning(of: signals[$0]) == .ecg }
        var ecgs = rates.isEmpty && intervals.isEmpty ? named : []
        if let values = guide.values {
            let meant: [Int]
            if let name = guide.column {
                let index = try RecordingGuide.index(of: name, in: numeric.map { signals[$0].name })
                meant = [numeric[index]]
            } else {
                let found =
                    switch values {
                    case .rates: rates
                    case .intervals: intervals
                    case .ecg: named
                    }
                meant = found.isEmpty && numeric.count == 1 ? numeric : found
            }
            (rates, intervals, ecgs) = ([], [], [])
            switch values {
            case .rates: rates = meant
            case .intervals: intervals = meant
            case .ecg: ecgs = meant
            }
        }
        for (found, option) in [(rates, RecordingGuide.Values.rates), (intervals, .intervals), (ecgs, .ecg)]
        where found.count > 1 {
            let names = found.map { signals[$0].description }.joined(separator: " and ")
            throw RecordingProblem(
                "several \(kind)s may come from the heart: \(names). Choose one with --as \(option.rawValue)=NAME"
            )
        }
        guard !rates.isEmpty || !intervals.isEmpty || !ecgs.isEmpty else {
            let names = signals.prefix(12).map(\.description).joined(separator: ", ")
            throw RecordingProblem(
                (signals.isEmpty
                    ? "there is no \(kind)"
                    : "no \(kind) says that it is a heart rate or intervals "
                        + "between beats, or an ECG in volts: \(names). If one is, name it with --as hr=NAME, --as rr=NAME or "
                        + "--as ecg=NAME"))
        }
        (rate, self.intervals, ecg) = (rates.first, intervals.first, ecgs.first)
        if let rate { assumptions.append("heart rates from the \(kind) \(signals[rate].description)") }
        if let interval = self.intervals {
            assumptions.append("intervals from the \(kind) \(signals[interval].description)")
        }
        if let ecg { assumptions.append("an ECG from the \(kind) \(signals[ecg].description)") }
        let others = signals.indices.filter { $0 != rate && $0 != self.intervals && $0 != ecg }.map {
            quoted(signals[$0].name)
        }
        if !others.isEmpty {
            assumptions.append(
                "not read: " + others.prefix(12).joined(separator: ", ")
                    + (others.count > 12 ? " and \(others.count - 12) more" : ""))
        }
    }

    /// The same signals with unique names: the second `HR` becomes `HR (2)`.
    private static func named(_ signals: [Signal]) -> [Signal] {
        var counts: [String: Int] = [:]
        return signals.map { signal in
            var signal = signal
            counts[signal.name, default: 0] += 1
            if let count = counts[signal.name], count > 1 { signal.name += " (\(count))" }
            return signal
        }
    }

    /// Whether a signal may be chosen, so that its values must be kept.
    ///
    /// - Parameter isAlone: whether there is no other signal.
    static func mayBeMeant(_ signal: Signal, _ guide: RecordingGuide, isAlone: Bool) -> Bool {
        if let name = guide.column {
            return RecordingGuide.plain(name).hasPrefix(RecordingGuide.plain(signal.name))
        }
        return meaning(of: signal) != nil || guide.values != nil && isAlone
    }

    /// What a signal is according to its names and unit; `nil` if they do not say, or contradict each other.
    private static func meaning(of signal: Signal) -> RecordingGuide.Values? {
        let isPerMinute = ColumnName.isPerMinute(signal.unit)
        let hasNoUnit = signal.unit.allSatisfy { !$0.isLetter && !$0.isNumber }
        for name in [signal.name] + signal.otherNames {
            // `HR Polar H10 1234`: the first word says what it is.
            let first = name.split(separator: " ").first.map(String.init) ?? name
            for word in [ColumnName(name).text, ColumnName(first).text] {
                if ColumnName.rates.prefix(2).contains(where: { $0.contains(word) }),
                    isPerMinute || hasNoUnit && !ColumnName.vagueRates.contains(word)
                {
                    return .rates
                }
                if ColumnName.intervals.contains(word), hasNoUnit || Self.secondsPer(unit: signal.unit) != nil
                {
                    return .intervals
                }
            }
        }
        let isECG = signal.isLead || ([signal.name] + signal.otherNames).contains(where: isNamedECG)
        return isECG && isVoltage(signal.unit) ? .ecg : nil
    }

    /// Whether a name begins as that of an ECG: `ECG I`, `EKG1-EKG2`.
    static func isNamedECG(_ name: String) -> Bool {
        let plain = RecordingGuide.plain(name)
        return ["ecg", "ekg", "electrocardiogram"].contains { plain.hasPrefix($0) }
    }

    /// Whether a unit is one of voltage.
    static func isVoltage(_ unit: String) -> Bool {
        [
            "v", "mv", "uv", "µv", "μv", "nv", "volt", "volts", "millivolts", "microvolts", "millivolt",
            "microvolt",
        ].contains(unit.lowercased())
    }

    /// The seconds in a unit of time; `nil` for other units.
    static func secondsPer(unit: String) -> Double? {
        ["s", "sec", "second", "seconds"].contains(unit.lowercased())
            ? 1 : ["ms", "msec", "millisecond", "milliseconds"].contains(unit.lowercased()) ? 0.001 : nil
    }

    /// The seconds in a unit of time. If the unit is missing, the size of a typical value decides.
    static func secondsPer(unit: String, usual value: Double) -> Double {
        secondsPer(unit: unit) ?? (value >= 20 ? 0.001 : 1)
    }
}
