package import Datasets
package import Participants
import Physiology
package import Results
package import Statistics
import StudyModel
import TextFormat

/// The heart responses to the clips of one study.
package struct StudyResponse: Sendable {
    package var study: String
    /// The texts of the study in these runs.
    package var texts: [StudyText]
    /// Whether other texts of the same study are analysed separately.
    package var isOnlyPart: Bool
    /// How many sessions there are of each origin.
    package var origins: [RunOrigin: Int]
    /// How many people took part.
    package var participants: Int
    package var sessions: Int
    /// How many sessions ended in each way.
    package var statuses: [String: Int]
    /// The participants who left a session before its end.
    let leavers: Set<String>
    package var responses: [ClipResponse] = []
    package var exclusions: [Exclusion] = []
    /// The participants without any response, although no end that the study names explains it.
    package var withoutResponse: [String]
    /// The participants without a response who reached an end that the study names, by the end's name.
    package var ended: [String: [String]]
    /// The titles of clips, of which no two have the same, and of questions, by what the study names them.
    package var clipTitles: [String: String]
    package internal(set) var questionTitles: [String: String] = [:]
    /// All clips, then bands of tempo and the slope over tempo, then each mood, then each clip. Each participant
    /// counts once, with the mean of their responses.
    package var groups: [Group] = []
    /// What was rated while each clip was heard; empty if nobody asked for it.
    package var ratings: [RatingCourse] = []
    /// What it is made of.
    let ratedClips: [RatedClip]
    /// Who took part in the run of another participant only, and so was never asked.
    package var companions: [String]
    /// How alike the hearts of participants of the same run were.
    package var together: [HeartsTogether] = []
    /// How conditions differ from each other, in heart rate and RMSSD.
    package var contrasts: [ConditionContrasts] = []
    /// What could not be compared, and why.
    package var withoutContrasts: [NoContrasts] = []
    /// A description of the participants, by the questions before the first timed step.
    package var characteristics: [Characteristic] = []
    /// What it is made of.
    let answers: [Characteristic.Answers]
    /// Every visit that could give a value of an outcome, with its value or why it has none.
    var visits: [OutcomeVisits] = []
    /// The study's outcomes, in its order.
    package var outcomes: [OutcomeResult] = []
    /// Whether a text of the study names its outcomes.
    package var hasKnownOutcomes = false
    /// Questions that were left out because they were asked only once and the study names no outcomes.
    package var askedOnce: [String] = []

    /// Whether clips are compared with their rests, or nothing else is known to compare.
    package var hasClips: Bool { !responses.isEmpty || !hasKnownOutcomes }

    /// Why no clip is compared with its rest; `nil` if none was played.
    package var noClips: String? {
        let reasons = exclusions.counts(of: \.reason.rawValue).sorted { $0.key < $1.key }
        guard !reasons.isEmpty else { return nil }
        let told = reasons.map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
        return "No clip is compared with a rest before it: \(told)."
    }

    /// A warning about participants who left their sessions; `nil` if nobody did.
    var dropoutWarning: String? {
        Analysing.dropoutWarning(
            leavers.union(exclusions.filter { $0.reason == .leftEarly }.map(\.participant)))
    }

    /// The study's name, with its text if there are several.
    package var title: String {
        isOnlyPart ? "\(study), \(texts.map(\.title).joined(separator: ", "))" : study
    }

    /// Whether a session is included.
    package func holds(_ session: RecordedSession) -> Bool {
        session.study == study && texts.contains(session.text)
    }

    /// Sessions that are not of a participant, or do not say so: `12 simulated`.
    package var originTexts: [String] {
        RunOrigin.allCases.filter { $0 != .recorded }.compactMap { origin in
            origins[origin].map {
                origin == .unknown ? "\($0) of unknown origin" : "\($0) \(origin.rawValue)"
            }
        }
    }

    /// If a smaller share of a clip than this was recorded, the report says so.
    package static let fullCoverage = 0.9

    /// Responses that count although less than 90 % of the clip was recorded.
    package var incomplete: [ClipResponse] {
        responses.filter { $0.coverage.map { $0 < Self.fullCoverage } ?? false }
    }

    /// Responses whose baseline is shorter than 30 s.
    package var shortBaselines: [ClipResponse] { responses.filter(\.heartRate.hasShortBaseline) }

    /// What the changes of the heart rate were worked out from, in words; `nil` without responses.
    package var originWords: String? {
        guard !responses.isEmpty else { return nil }
        let byIntervals = responses.filter { $0.heartRate.origin == .intervals }
        let notified = responses.count - byIntervals.count
        guard !byIntervals.isEmpty else {
            return "heart rates as notified in all clips, because no intervals cover them"
        }
        let distances = byIntervals.compactMap(\.heartRate).compactMap { heart in
            heart.notifiedChange.map { abs($0 - heart.change) }
        }
        var words = "heart rates by the intervals in \(byIntervals.count) of \(responses.count) clips"
        if notified > 0 { words += ", as notified in \(notified)" }
        if let largest = distances.max() {
            words +=
                "; the notified changes differ from theirs by \(decimals(distances.mean, 1)) "
                + "per minute on average, by \(decimals(largest, 1)) at most"
        }
        return words
    }

    /// Responses that are analysed together.
    package struct Group: Sendable {
        package var kind: Kind
        package var name: String
        /// How many responses there are.
        package var clips: Int
        /// For the heart rate, 1/min; for the slope, 1/min for 10/min of tempo.
        package var difference: PairedDifference
        /// `nil` if there is no effect size.
        package var power: PowerEstimate?
        /// `nil` if nobody has an RMSSD.
        package var variability: Variability?
        /// Second by second from the onset; empty if nobody asked for it, and for a slope.
        package var course: [MeanOfSecond] = []

        package enum Kind: String, Sendable { case all, tempo, slope, mood, clip }
    }

    /// How RMSSD changed in a group.
    package struct Variability: Sendable {
        /// The difference in milliseconds.
        package var difference: PairedDifference
        /// How many responses have an RMSSD.
        package var clips: Int
        /// How many of these are ultra-short.
        package var ultraShort: Int
    }

    init(
        of study: String, in texts: [StudyText] = [], isOnlyPart: Bool = false, _ runs: [RunResponses],
        outcomes: [Outcome]? = nil, drawnFlips: Int = PairedDifference.drawnFlips,
        using random: inout some RandomNumberGenerator
    ) {
        self.study = study
        self.texts = texts
        self.isOnlyPart = isOnlyPart
        origins = Dictionary(runs.map { ($0.session.origin, 1) }) { $0 + $1 }
        let everybody = Set(runs.map(\.session.participant))
        participants = everybody.count
        sessions = runs.count
        clipTitles = runs.reduce(into: [:]) { $0.merge($1.clipTitles) { first, _ in first } }.unambiguous
        statuses = runs.counts { $0.session.status }
        leavers = Set(runs.filter { $0.session.status == "discarded" }.map(\.session.participant))
        let asked = runs.lazy.map(\.session).filter { !$0.isCompanion }.map(\.participant)
        companions = everybody.subtracting(asked).sorted()
        responses = runs.flatMap(\.responses)
        exclusions = runs.flatMap(\.exclusions)
        let without = everybody.subtracting(responses.map(\.participant))
        ended = Dictionary(grouping: runs.filter { without.contains($0.session.participant) }) {
            FinishReason(rawValue: $0.session.status)?.nameOfEnd ?? ""
        }.mapValues { Set($0.map(\.session.participant)).sorted() }
        ended[""] = nil
        withoutResponse = without.subtracting(ended.values.joined()).sorted()
        answers = Characteristic.answers(of: runs)
        let arms = Set(runs.compactMap(\.session.arm)).sorted()
        characteristics = answers.compactMap { Characteristic($0, arms: arms) }
        ratedClips = runs.flatMap(\.ratings)
        ratings = RatingCourse.all(of: ratedClips)
        addGroups(drawnFlips, &random)
        addContrasts(drawnFlips, &random)
        addOutcomes(outcomes, of: runs, drawnFlips, &random)
        together = HeartsTogether.all(
            of: runs.flatMap(\.sharedSteps), drawnFlips: drawnFlips, using: &random)
    }

    private mutating func addGroups(_ flips: Int, _ random: inout some RandomNumberGenerator) {
        addGroup(.all, "all clips", flips, &random) { _ in true }
        for band in TempoBand.allCases {
            addGroup(.tempo, band.rawValue, flips, &random) { $0.tempo.map(TempoBand.init(of:)) == band }
        }
        if let difference = PairedDifference(slopes, drawnFlips: flips, using: &random) {
            let clips = responses.count { $0.tempo != nil }
            groups.append(
                Group(
                    kind: .slope, name: "per 10/min of tempo", clips: clips, difference: difference,
                    power: PowerEstimate(difference)))
        }
        for mood in Set(responses.compactMap(\.mood)).sorted() {
            addGroup(.mood, mood, flips, &random) { $0.mood == mood }
        }
        for clip in Set(responses.map(\.clip)).sorted() {
            addGroup(.clip, clip, flips, &random) { $0.clip == clip }
        }
    }

    private mutating func addGroup(
        _ kind: Group.Kind, _ name: String, _ flips: Int, _ random: inout some RandomNumberGenerator,
        where belongs: (ClipResponse) -> Bool
    ) {
        let members = responses.filter(belongs)
        let means = Self.means(of: members) { $0.change }
        guard let difference = PairedDifference(means, drawnFlips: flips, using: &random) else { return }
        let changes = members.compactMap(\.variability)
        let variability = PairedDifference(
            Self.means(of: members) { $0.variability?.change }, drawnFlips: flips, using: &random)
        groups.append(
            Group(
                kind: kind, name: name, clips: members.count, difference: difference,
                power: PowerEstimate(difference),
                variability: variability.map {
                    Variability(
                        difference: $0, clips: changes.count,
                        ultraShort: changes.count { $0.validity == .ultraShort })
                }, course: MeanOfSecond.course(of: members)))
    }

    /// The mean value of each participant who has any, in the order of participants.
    private static func means(
        of responses: [ClipResponse], _ value: (ClipResponse) -> Double?
    ) -> [Double] {
        Dictionary(grouping: responses, by: \.participant).sorted { $0.key < $1.key }
            .compactMap { _, responses in
                let values = responses.compactMap(value)
                return values.isEmpty ? nil : values.mean
            }
    }

    /// The least-squares slope of each participant who heard different tempos, 1/min for 10/min of tempo.
    private var slopes: [Double] {
        Dictionary(grouping: responses.filter { $0.tempo != nil }, by: \.participant)
            .sorted { $0.key < $1.key }.compactMap { _, responses in
                let tempos = responses.compactMap(\.tempo).map { $0 / 10 }
                let centre = tempos.mean
                let spread = tempos.reduce(0) { $0 + ($1 - centre) * ($1 - centre) }
                guard spread > 1e-9 else { return nil }
                return zip(tempos, responses).reduce(0) { $0 + ($1.0 - centre) * $1.1.change } / spread
            }
    }
}

/// Bands of tempo in beats per minute.
enum TempoBand: String, CaseIterable {
    case slow = "tempo below 80"
    case medium = "tempo 80 to 119"
    case fast = "tempo 120 and above"

    init(of tempo: Double) { self = tempo < 80 ? .slow : tempo < 120 ? .medium : .fast }
}
