import StudyModel

/// What the log of a waveform holds within a recording's time.
///
/// A file of columns holds one group: consecutive samples with the same channels.
struct WaveSurvey {
    /// Consecutive samples with the same channels.
    struct Group {
        let layout: WaveLayout
        private(set) var count = 0
        let first: RunInstant
        private(set) var last: RunInstant
        /// Longer times without samples than there may be.
        private(set) var silences: [Range<RunInstant>] = []
        /// Samples that came after the recording's end.
        fileprivate(set) var late = 0
        private let longestSilence: Duration
        private var steps = (sum: Duration.zero, count: 0)

        fileprivate init(_ layout: WaveLayout, from first: RunInstant, _ usual: Duration) {
            (self.layout, self.first, last) = (layout, first, first)
            longestSilence = layout.longestSilence(otherwise: usual)
        }

        fileprivate mutating func add(_ instant: RunInstant) {
            let step = last.duration(to: instant)
            if step > longestSilence {
                silences.append(last..<instant)
            } else if count > 0 {
                steps = (steps.sum + step, steps.count + 1)
            }
            last = max(last, instant)
            count += 1
        }

        /// Samples per second, gaps apart; `nil` if there are too few.
        var rate: Double? {
            guard steps.count > 0, steps.sum > .zero else { return nil }
            return (Double(steps.count) / steps.sum.seconds * 1e6).rounded() / 1e6
        }

        /// Whether items would be too many.
        var needsColumns: Bool { (layout.rate ?? rate ?? 0) > Signal.highestItemRate }

        /// The silences of a file that covers a span of time, with those at its ends.
        func silences(in span: Range<RunInstant>) -> [Range<RunInstant>] {
            var silences = silences
            if span.lowerBound.duration(to: first) > longestSilence {
                silences.insert(span.lowerBound..<first, at: 0)
            }
            if last.duration(to: span.upperBound) > longestSilence { silences.append(last..<span.upperBound) }
            return silences
        }
    }

    private let span: Range<RunInstant>
    private let deadline: RunInstant
    private let usualSilence: Duration
    private(set) var groups: [Group] = []
    /// Samples that came too late.
    private(set) var dropped = 0

    init(of recording: Recording) {
        (span, deadline) = (recording.span, recording.deadline)
        usualSilence = recording.log.configuration.longestSilence
    }

    /// Whether a sample belongs to the recording.
    func isKept(_ index: Int, of block: LoggedBlock) -> Bool {
        span.contains(block.instants[index]) && block.arrival <= deadline
    }

    mutating func add(_ block: LoggedBlock) {
        for (index, instant) in block.instants.enumerated() where span.contains(instant) {
            guard isKept(index, of: block) else {
                dropped += 1
                continue
            }
            if groups.last?.layout != block.layout {
                groups.append(Group(block.layout, from: instant, usualSilence))
            }
            groups[groups.count - 1].add(instant)
            if block.arrival > span.upperBound { groups[groups.count - 1].late += 1 }
        }
    }

    /// The time that the file of a group covers; together the files cover the whole recording.
    func span(of group: Int) -> Range<RunInstant> {
        let start = group == 0 ? span.lowerBound : groups[group].first
        let end = group == groups.count - 1 ? span.upperBound : groups[group + 1].first
        return start..<max(start, end)
    }
}
