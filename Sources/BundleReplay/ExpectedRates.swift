package import Physiology
package import Results
package import StudyModel

/// The heart rates that a task of a study expects, by step.
package struct ExpectedRates: Sendable {
    private var steps: [String: (rate: ExpectedRate, startsOnConfirm: Bool)] = [:]

    /// - Parameter task: the task; with `nil`, nothing is expected.
    package init(of task: Study.Task?) {
        guard let task else { return }
        for placed in task.placedSteps {
            guard let active = placed.step.active,
                let rate = active.expected.flatMap(ExpectedRate.init)
            else { continue }
            steps[placed.path] = (rate, active.timer.startsOnConfirm)
        }
    }

    /// The expected rates over a visit of a step; `nil` if nothing is expected, or if it is not known when the
    /// step's time began.
    package subscript(visit: ResultBundle.Visit) -> ExpectedCourse? {
        guard let (rate, startsOnConfirm) = steps[visit.path] else { return nil }
        // A step's own recorders begin when its time begins, which may wait for a source or for the participant.
        let recorded = visit.recordings.map(\.start).filter { $0 >= visit.start }.min()
        guard let begin = recorded ?? (startsOnConfirm ? nil : visit.start) else { return nil }
        return ExpectedCourse(rate: rate, begin: begin, pauses: visit.pauses)
    }
}

/// The heart rate that is expected over one visit of a step. Its time stops during pauses.
package struct ExpectedCourse: Sendable {
    private let rate: ExpectedRate
    /// Seconds since the run's start, as for the pauses.
    private let begin: Double
    private let pauses: [Range<Double>]

    fileprivate init(rate: ExpectedRate, begin: Double, pauses: [Range<Double>]) {
        (self.rate, self.begin, self.pauses) = (rate, begin, pauses)
    }

    /// The expected beats per minute at a moment, and the range that still counts as expected.
    ///
    /// - Parameter offset: seconds since the run's start.
    /// - Returns: `nil` before the step's time begins, and during pauses.
    package func expected(at offset: Double) -> (rate: Double, range: ClosedRange<Double>)? {
        seconds(at: offset).map(rate.expected)
    }

    /// How well samples agree with the expected rates, without samples during pauses.
    ///
    /// - Returns: `nil` without samples.
    package func comparison(of samples: [ResultBundle.HeartRate]) -> CurveComparison? {
        let timed = samples.compactMap { sample in
            seconds(at: sample.runOffset).map { (time: $0, rate: sample.value) }
        }
        return rate.comparison(times: timed.map(\.time), rates: timed.map(\.rate))
    }

    /// Seconds of the step's own time.
    private func seconds(at offset: Double) -> Double? {
        guard offset >= begin, !pauses.contains(where: { $0.contains(offset) }) else { return nil }
        let paused = pauses.filter { $0.upperBound <= offset }
        return offset - begin - paused.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
    }
}
