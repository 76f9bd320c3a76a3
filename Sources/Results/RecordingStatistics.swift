package import StudyModel

/// What the times of a recording's samples say about it.
package struct RecordingStatistics: Hashable, Sendable {
    /// Share of the recording's time with samples, 0...1; 0 if the recording has no length.
    package var coverage: Double
    /// Times without samples, in order.
    package var gaps: [FileResult.Gap]

    /// A longer time than this between two heart rates, or between a heart rate and an end of the recording, is a
    /// gap.
    package static let longestSilence = Signal.heartRate.longestSilence

    /// - Parameters:
    ///   - span: the recording.
    ///   - samples: when readings were taken, in order, all within `span`.
    ///   - contactLost: when the sensor reported no skin contact.
    ///   - lost: when the source reported that it has no signal.
    ///   - standstills: when the program stood still.
    ///   - floods: when samples were left out because there were too many.
    ///   - longestSilence: a longer time between two samples is a gap.
    package init(
        of span: Range<RunInstant>, samples: [RunInstant], contactLost: [RunInstant] = [],
        lost: [RunInstant] = [], standstills: [Range<RunInstant>] = [], floods: [Range<RunInstant>] = [],
        longestSilence: Duration = Self.longestSilence
    ) {
        let edges = [span.lowerBound] + samples + [span.upperBound]
        let silences = zip(edges, edges.dropFirst()).filter { from, to in
            from.duration(to: to) > longestSilence || samples.isEmpty && from < to
        }
        self.init(
            of: span, silences: silences.map { $0..<$1 }, hasSamples: !samples.isEmpty,
            contactLost: contactLost, lost: lost, standstills: standstills, floods: floods)
    }

    /// - Parameters:
    ///   - silences: longer times without samples than there may be, in order.
    ///   - hasSamples: whether there was any sample.
    init(
        of span: Range<RunInstant>, silences: [Range<RunInstant>], hasSamples: Bool,
        contactLost: [RunInstant] = [], lost: [RunInstant] = [], standstills: [Range<RunInstant>],
        floods: [Range<RunInstant>] = []
    ) {
        let told = silences.map { silence in
            let isWithin = { (instant: RunInstant) in
                silence.lowerBound <= instant && instant <= silence.upperBound
            }
            let reason =
                contactLost.contains(where: isWithin)
                ? "contact"
                : lost.contains(where: isWithin)
                    ? "lost" : standstills.contains(where: silence.overlaps) ? "standstill" : "silence"
            return FileResult.Gap(from: silence.lowerBound, to: silence.upperBound, reason: reason)
        }
        let gaps = Self.join(told, floods.map { $0.clamped(to: span) })
        self.gaps = gaps
        let whole = span.lowerBound.duration(to: span.upperBound).wholeNanoseconds
        let missing = gaps.reduce(0) { $0 + $1.from.duration(to: $1.to).wholeNanoseconds }
        coverage = !hasSamples || whole == 0 ? 0 : Double(whole - missing) / Double(whole)
    }

    /// Turns floods into gaps too, and joins gaps that touch each other.
    private static func join(
        _ silences: [FileResult.Gap], _ floods: [Range<RunInstant>]
    ) -> [FileResult.Gap] {
        guard !floods.isEmpty else { return silences }
        let floods = floods.filter { !$0.isEmpty }.map {
            FileResult.Gap(from: $0.lowerBound, to: $0.upperBound, reason: "flood")
        }
        var gaps: [FileResult.Gap] = []
        for gap in (silences + floods).sorted(by: { $0.from < $1.from }) {
            guard let last = gaps.last, gap.from <= last.to, [last.reason, gap.reason].contains("flood")
            else {
                gaps.append(gap)
                continue
            }
            gaps[gaps.count - 1] = FileResult.Gap(from: last.from, to: max(last.to, gap.to), reason: "flood")
        }
        return gaps
    }
}
