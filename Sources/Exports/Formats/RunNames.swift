import Datasets
import Deidentifying
import Hashing
import Results
import StudyModel
import TextFormat

/// What identifies a run before it is read completely.
struct RunHead {
    var run: String
    var study: String
    var task: String
    var revision: Int
    var studySHA256: String
    var participant: String
    var session: Int
    /// The time since 1970.
    var start: Duration

    init(_ source: ExportSource) {
        run = source.run
        study = source.study
        task = source.task
        revision = source.revision
        studySHA256 = source.studySHA256
        participant = source.participant
        session = source.session
        start = source.start.sinceEpoch
    }

    /// The run's place in the order by participant, session, study and task, and time.
    ///
    /// - Parameter name: the name of the participant.
    func order(_ name: (String) -> String) -> RunOrder { RunOrder(name: name(participant), head: self) }

    struct RunOrder: Comparable {
        var name: String
        var head: RunHead

        static func == (left: RunOrder, right: RunOrder) -> Bool { left.head.run == right.head.run }

        static func < (left: RunOrder, right: RunOrder) -> Bool {
            let (one, other) = (left.head, right.head)
            return (left.name, one.session, one.study, one.task, one.start, one.run)
                < (right.name, other.session, other.study, other.task, other.start, other.run)
        }
    }
}

/// Names for files: `sub-P01_ses-01_task-music_run-01`, with letters and digits as BIDS requires.
struct RunNames {
    private(set) var names: [Name] = []
    private let heads: [RunHead]

    struct Name {
        /// The label without `sub-`.
        var subject: String
        /// The code that is shown.
        var participant: String
        var session: String
        var task: String
        /// Number of the run of the same subject, session and task, from 1.
        var run: String

        var folder: String { "sub-\(subject)/ses-\(session)" }
        var stem: String { "sub-\(subject)_ses-\(session)_task-\(task)_run-\(run)" }
    }

    init(_ heads: [RunHead]) {
        self.heads = heads
        let subjects = Dictionary(heads.map { ($0.participant, Self.label(of: $0.participant)) }) { $1 }
        makeNames(subjects, codes: [:], clean: { $0 })
    }

    /// Names subjects by their pseudonyms.
    mutating func pseudonymise(_ pseudonyms: Pseudonyms, _ forbidden: ForbiddenTexts) {
        var codes: [String: String] = [:]
        for head in heads { codes[head.participant] = pseudonyms.code(of: head.participant) }
        var forbidden = forbidden
        makeNames(codes, codes: codes) { forbidden.clean($0) }
    }

    private mutating func makeNames(
        _ subjects: [String: String], codes: [String: String], clean: (String) -> String
    ) {
        let texts = Dictionary(grouping: heads, by: \.study).mapValues { Set($0.map(\.studySHA256)) }
        // Runs of different studies, or of different texts of one study, are not runs of the same task.
        func title(_ head: RunHead) -> String {
            clean(
                (texts.count > 1 ? "\(head.study) " : "") + head.task
                    + (texts[head.study, default: []].count > 1
                        ? " r\(head.revision)x\(head.studySHA256.prefix(8))" : ""))
        }
        let tasks = Self.labels(Set(heads.map { title($0) }))
        var counts: [String: Int] = [:]
        names = heads.map { head in
            var name = Name(
                subject: subjects[head.participant, default: "unknown"],
                participant: codes[head.participant, default: head.participant],
                session: digits(head.session, 2), task: tasks[title(head), default: "task"], run: "")
            counts[name.stem, default: 0] += 1
            name.run = digits(counts[name.stem, default: 1], 2)
            return name
        }
    }

    /// A participant's label, which depends only on the code: the code itself if it consists of capitals and
    /// digits, because some systems ignore the case of file names; otherwise with a part of its hash.
    static func label(of code: String) -> String {
        let plain = code.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        let isItself = plain == code && !code.contains(where: \.isLowercase) && (1...40).contains(code.count)
        return isItself ? code : "\(plain.prefix(30))x\(SHA256.hexadecimal(of: code).prefix(10))"
    }

    /// The letters and digits of each text. Texts that would look the same, or have none, get a part of their hash.
    static func labels(_ texts: Set<String>) -> [String: String] {
        let plain = Dictionary(
            uniqueKeysWithValues: texts.map { text in
                (text, text.filter { $0.isASCII && ($0.isLetter || $0.isNumber) })
            })
        // Some systems ignore the case of file names.
        let counts = Dictionary(grouping: plain.values) { $0.lowercased() }.mapValues(\.count)
        return plain.reduce(into: [:]) { labels, pair in
            let (text, label) = pair
            let isClear = !label.isEmpty && label.count <= 40 && counts[label.lowercased()] == 1
            let hash = SHA256.hexadecimal(of: text).prefix(10)
            labels[text] = isClear ? label : "\(label.prefix(30))x\(hash)"
        }
    }
}
