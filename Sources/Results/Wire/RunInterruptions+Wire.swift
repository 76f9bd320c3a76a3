import StudyModel
import TextFormat

extension RunInterruptions {
    /// As `result.json` holds them; `nil` if there are none.
    var wire: JSON? { ranges.isEmpty ? nil : ranges.wireInSeconds }
}

extension [Range<RunInstant>] {
    /// As results hold spans of time.
    var wireInSeconds: JSON {
        .list(map { ["from": .seconds($0.lowerBound), "to": .seconds($0.upperBound)] })
    }
}

extension ResultBundle {
    /// When nobody sat at the run, from an end of it to the moment at which it was continued: seconds since its start.
    public var interruptions: [Range<Double>] {
        (result["userInfo"]?["interruptions"]?.list ?? []).compactMap { gap in
            guard let from = gap["from"]?.number, let to = gap["to"]?.number, from <= to else { return nil }
            return from..<to
        }
    }
}
