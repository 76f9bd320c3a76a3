import Datasets
import Results
import StudyModel

/// What exports and reports need of one run.
struct ExportedRun {
    var source: ExportSource
    /// The steps in visiting order.
    var steps: [Step] = []

    /// One visit of a step.
    struct Step {
        /// From 1.
        var ordinal: Int
        /// The identifier alone.
        var name: String
        /// The identifiers of the blocks and the step, joined by `.`.
        var path: String
        var visit: Int
        var round: Int?
        /// Seconds since the run's start.
        var start: Double
        var end: Double
        var isSkipped: Bool
        var skipReason: String?
        var plannedDuration: Double?
        var actualDuration: Double?
        /// Moment → seconds.
        var lateness: [(moment: String, seconds: Double)] = []
        var pauses: [Range<Double>] = []
        var recorderErrors: [String] = []
        var clip: Clip?
        var answers: [Answer] = []
        var recordings: [Recording] = []
    }

    struct Clip {
        var identifier: String
        var title: String?
        var file: String?
        var sha256: String?
        var draw: String?
        /// Seconds since the run's start.
        var onset: Double?
        var end: Double?
        var problem: String?
        var underruns: Int?
    }

    struct Answer {
        var question: String
        var kind: String
        var value: AnswerValue
        var unit: String?
    }

    /// A recorder's file.
    struct Recording {
        var recorder: String
        var name: String
        /// Seconds since the run's start.
        var start: Double
        var end: Double
        var coverage: Double
        var gaps: [(span: Range<Double>, reason: String)] = []
        var lateSamples: Int
        var droppedSamples: Int
        var reason: String?
        var samples: [Sample] = []
        var beats: [Beat] = []
        /// Items of other kinds.
        var others = 0
    }

    /// A heart rate.
    struct Sample {
        /// Seconds since the run's start.
        var offset: Double
        var arrival: Double
        /// 1/min.
        var rate: Double
        /// Seconds between beats, oldest first.
        var intervals: [Double]
        var hasContact: Bool?
        var quality: Double?
        /// The source that it came from.
        var origin: String
    }

    /// An interval between two beats that a recorder of its own kept.
    struct Beat {
        /// When it ended, seconds since the run's start.
        var offset: Double
        /// Seconds.
        var length: Double
        /// The source that it came from.
        var origin: String
    }

    /// All heart rates by time.
    var samples: [Sample] { steps.flatMap(\.recordings).flatMap(\.samples).sorted(on: \.offset) }
    /// How many heart rates each source has, the source with most first.
    var origins: [(name: String, count: Int)] {
        Dictionary(grouping: samples, by: \.origin).map { (name: $0.key, count: $0.value.count) }
            .sorted(on: \.name).sorted { -$0.count }
    }
    /// The heart rates of the source with most, by time: two hearts, or two looks at one, make no line.
    var mainSamples: [Sample] {
        let main = origins.first?.name
        return samples.filter { $0.origin == main }
    }
    /// When recorders of that source had no samples, seconds since the run's start.
    var heartRateGaps: [Range<Double>] {
        let main = origins.first?.name
        let recordings = steps.flatMap(\.recordings).filter {
            $0.name.hasPrefix("HKQuantityTypeIdentifierHeartRate")
        }
        let others = Set(
            recordings.filter { $0.samples.contains { $0.origin != main } }.map(\.recorder))
        return recordings.filter { !others.contains($0.recorder) }.flatMap(\.gaps).map(\.span)
    }
    /// All intervals of recorders of their own by time.
    var beats: [Beat] { steps.flatMap(\.recordings).flatMap(\.beats).sorted(on: \.offset) }

    /// The step in which something was measured that lies with `step`: recorders over several steps lie with the last.
    func step(at offset: Double, upTo step: Step) -> Step {
        guard offset < step.start else { return step }
        return steps[..<(step.ordinal - 1)].last { $0.start <= offset } ?? step
    }

    /// When something happened: RFC 3339 with three decimals and the run's offset from UTC.
    func time(_ offset: Double) -> String {
        let instant = RunInstant(offset: .nanoseconds(Int64((offset * 1e9).rounded())))
        let date = Array(source.start.date(of: instant))
        let rest = (source.start.nanoseconds + instant.nanoseconds) % 1_000_000_000 / 1_000_000
        let digits = "\(rest < 0 ? rest + 1000 : rest)"
        return String(date[..<19]) + "." + String(repeating: "0", count: max(0, 3 - digits.count)) + digits
            + String(date[19..<22]) + ":" + String(date[22...])
    }
}
