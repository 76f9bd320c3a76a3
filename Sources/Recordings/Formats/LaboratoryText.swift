/// A text export of a laboratory's program, whose header the reader of tables does not understand. Taken for a table,
/// its header looks like names, and its numbers like other numbers.
enum LaboratoryText: String {
    case labChart = "LabChart"
    case acqKnowledge = "AcqKnowledge"
    case openSignals = "OpenSignals"

    /// - Parameter beginning: the first bytes of a file.
    /// - Returns: `nil` for anything else.
    init?(_ beginning: [UInt8]) {
        let lines = beginning.prefix(4096).split(maxSplits: 8) { $0 == 0x0A || $0 == 0x0D }
            .map { String(decoding: $0.drop(while: \.isBlankOrMark), as: UTF8.self) }
        guard let first = lines.first else { return nil }
        let isLabChart = lines.contains {
            $0.hasPrefix("ChannelTitle=") || $0.hasPrefix("ExcelDateTime=")
        }
        if first.hasPrefix("# OpenSignals Text File Format") {
            self = .openSignals
        } else if first.hasPrefix("Interval="), isLabChart {
            self = .labChart
        } else if lines.count > 2, lines[1].hasSuffix("/sample"), lines[2].hasSuffix(" channels") {
            self = .acqKnowledge
        } else {
            return nil
        }
    }

    /// What it is, and what to do.
    var refusal: String {
        let steps =
            switch self {
            case .labChart:
                "keep only the rows of samples, and write a line of names above them, separated by tabs as they are, such as 'time_s', "
                    + "'ecg', 'hr'"
            case .acqKnowledge:
                "keep only the rows of samples, and write a line of names above them, separated by tabs as they are, with the unit of "
                    + "the times, such as 'time_min', 'ecg', 'hr'"
            case .openSignals:
                "write a line of names above the numbers, separated by tabs as they are, such as 'nSeq', 'DI', 'ecg', and say --as "
                    + "ecg=ecg --rate with the sampling rate of the header"
            }
        return "is a text export of \(rawValue), whose header is not read yet: \(steps)"
    }
}
