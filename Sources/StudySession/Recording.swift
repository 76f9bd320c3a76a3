import StudyModel

/// A recording that is going on, and which samples belong to it.
struct Recording {
    let key: RecorderKey
    let configuration: RecorderConfiguration
    /// When it began.
    let start: RunInstant
    /// When it is to end, once that is known; samples of its time are still taken until the grace is over.
    var stop: RunInstant?
    /// The visit in whose folder the file will lie.
    var folder: Int
    /// Samples taken so far: when measured, when arrived, and whether they carry a reading.
    var taken: [Taken] = []
    /// Samples refused: duplicates, out of its time, or out of order.
    var dropped = 0
    /// Times at which the source was reported lost.
    var losses: [Loss] = []

    struct Taken: Hashable {
        var instant: RunInstant
        var arrival: RunInstant
        var hasReading: Bool
    }

    struct Loss: Hashable {
        var from: RunInstant
        var to: RunInstant?
    }

    /// What to do with a sample.
    enum Verdict {
        /// It belongs to the recording.
        case take
        /// It does not.
        case drop
        /// It was measured after the recording's end: nothing more can come.
        case finish
    }

    /// Judges a sample, and counts it.
    mutating func judge(_ sample: Timed<HeartRateSample>) -> Verdict {
        if let stop, sample.instant > stop { return .finish }
        guard sample.instant >= start, taken.last.map({ $0.instant < sample.instant }) != false else {
            dropped += 1
            return .drop
        }
        let hasReading = sample.value.rate != nil && sample.value.sensorContact != false
        taken.append(Taken(instant: sample.instant, arrival: sample.arrival, hasReading: hasReading))
        return .take
    }

    /// Notes that the source is lost, or live again.
    mutating func note(isLost: Bool, at now: RunInstant) {
        if isLost, losses.last.map({ $0.to != nil }) != false {
            losses.append(Loss(from: now, to: nil))
        } else if !isLost, let last = losses.indices.last, losses[last].to == nil {
            losses[last].to = now
        }
    }
}
