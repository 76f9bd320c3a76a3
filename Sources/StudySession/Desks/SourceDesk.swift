import SessionPorts
import StudyEngine
import StudyModel

/// What the sources of the participant and of the companions said.
struct SourceDesk {
    /// The problems of sources that reported why they have no signal.
    private(set) var problems: [Identifier: SourceProblem] = [:]
    /// What sources said about themselves.
    private(set) var told: [Identifier: SourceInformation] = [:]
    /// The recent heartbeats of each source that a display shows.
    private(set) var hearts: [Identifier: HeartHistory]
    /// Pictures of a fingertip that have not been shown yet.
    private var pictures: [Identifier: [Timed<PulseFrame>]] = [:]
    /// The problems of the companions' sources, by source and by their place.
    private var problemsBeside: [Identifier: [Int: SourceProblem]] = [:]
    /// Sources that the run waits for and that have not reported yet: by source, the places of the companions, and
    /// `nil` for the participant's own.
    private var awaited: [Identifier: Set<Int?>] = [:]

    init(of seat: Sitting.Seat, beside companions: [Sitting.Seat]) {
        hearts = Self.hearts(for: seat.plan.recorders)
        for (place, companion) in companions.enumerated() {
            for name in companion.sources.keys { awaited[name, default: [nil]].insert(place) }
        }
    }

    /// What is kept of each source of which a display shows something.
    private static func hearts(for recorders: [RecorderConfiguration]) -> [Identifier: HeartHistory] {
        var reaches: [Identifier: Duration] = [:]
        for recorder in recorders {
            guard let display = recorder.biofeedback, let source = recorder.sourceName else { continue }
            var reach = Duration.zero
            if case .variability(_, let window) = display { reach = window }
            reaches[source] = max(reach, reaches[source] ?? .zero)
        }
        return reaches.mapValues(HeartHistory.init)
    }

    /// Its own source has a signal, or none for this reason.
    mutating func set(_ source: Identifier, _ problem: SourceProblem?) {
        problems[source] = problem
        if problem != nil { hearts[source]?.lose() }
    }

    /// A source has a signal, or none for this reason. The run waits until it is known of all participants, and the
    /// first problem counts.
    ///
    /// - Parameter place: the place of the companion whose source it is; `nil` for the participant's own.
    /// - Returns: the problem, if there is one, and whether all participants' sources are known by now.
    mutating func standing(
        of source: Identifier, after problem: SourceProblem?, of place: Int?
    ) -> (problem: SourceProblem?, isKnown: Bool) {
        awaited[source]?.remove(place)
        if let place { problemsBeside[source, default: [:]][place] = problem }
        let standing = problems[source] ?? problemsBeside[source]?.min { $0.key < $1.key }?.value
        return (standing, standing != nil || awaited[source]?.isEmpty != false)
    }

    /// Takes what a source says about itself.
    ///
    /// - Returns: the charge of its battery, percent, if that has become low.
    mutating func take(_ news: SourceInformation, of source: Identifier) -> Int? {
        var information = told[source] ?? SourceInformation()
        let wasLow = information.lowBattery != nil
        information.update(with: news)
        // A recording that begins later needs only the last comparison.
        information.clock = information.clock.suffix(1)
        told[source] = information
        return wasLow ? nil : information.lowBattery
    }

    mutating func keep(_ heart: HeartRateSample, of source: Identifier, at instant: RunInstant) {
        hearts[source]?.take(heart, at: instant)
    }

    mutating func keep(_ picture: Timed<PulseFrame>, of source: Identifier) {
        pictures[source, default: []].append(picture)
    }

    /// The pictures since the last time.
    mutating func newPictures(of source: Identifier) -> [Timed<PulseFrame>] {
        pictures.removeValue(forKey: source) ?? []
    }
}
