import BundleReplay
import Datasets
import Hashing
import Participants
import Results
import StudyModel

/// A system file of SPSS for each study, as SPSS, PSPP, jamovi, JASP and R read it: a row for each participant, a
/// column for each answer, with the words of questions and answers, and the codes for missing ones.
///
/// What a participant wrote is not in it, except days and times.
final class SPSSExport: ExportWriter {
    static let name = "spss"
    static let title = "SPSS"

    private let folder: ExportFolder
    private var tables: [String: AnswerTable] = [:]
    /// What each text of a study asks, by its checksum; empty where its words must not leave.
    private var codebooks: [String: [String: Step.Asked]] = [:]
    private var languages: [String: Language] = [:]

    init(order: ExportOrder) { folder = order.folder }

    func write(_ run: ExportedRun, at index: Int, from bundle: ResultBundle) throws {
        let text = run.source.studySHA256
        // A bundle whose study cannot be read still has its answers; another one may have the same study.
        if codebooks[text] == nil, !bundle.manifest.isPseudonymised,
            let study = try? CheckedStudy(recordedIn: bundle).study()
        {
            codebooks[text] = [:]
            languages[text] = study.languages.first
            for task in study.tasks {
                for (step, asked) in task.answered {
                    codebooks[text]?["\(task.identifier)/\(step)/\(asked.identifier)"] = asked
                }
            }
        }
        // In its place: a copy for each run would take long.
        let study = run.source.study
        tables[study, default: AnswerTable()].begin(run.source, arm: bundle.manifest.run.arm?.text)
        for step in run.steps {
            for answer in step.answers {
                let asked = codebooks[text]?["\(run.source.task)/\(step.path)/\(answer.question)"]
                tables[study]?.add(
                    answer, asked, languages[text], named: Self.name(of: answer, in: step, run.source))
            }
        }
    }

    func finish() throws {
        for (study, table) in tables.sorted(by: { $0.key < $1.key }) {
            let file = SPSSFile(variables: table.variables, cases: table.participants.count)
            try folder.write(file.bytes, to: "\(study).sav", checking: file.texts)
        }
    }

    /// `s1.block.step.v2.question`: the session, the step, its visit if it is not the first, and the question if it is not
    /// the step itself.
    private static func name(
        of answer: ResultBundle.Answer, in step: ResultBundle.Visit, _ source: ExportSource
    ) -> String {
        var parts = ["s\(source.session)", step.path]
        if step.visit > 1 { parts.append("v\(step.visit)") }
        if answer.question != step.identifier { parts.append(answer.question) }
        if let prompt = answer.prompt, prompt.number > 1 { parts.append("p\(prompt.number)") }
        return parts.joined(separator: ".")
    }
}

/// The answers of the participants of a study.
private struct AnswerTable {
    private(set) var participants: [String] = []
    private(set) var variables: [SPSSFile.Variable] = []
    private var places: [String: Int] = [:]
    private var names: Set<String> = []

    /// Finds the participant's row. Runs come by participants.
    mutating func begin(_ source: ExportSource, arm: String?) {
        if participants.last != source.participant { participants.append(source.participant) }
        set(.text(source.participant), of: "participant", .init(label: "the participant's code", .text))
        if let arm { set(.text(arm), of: "arm", .init(label: "the participant's arm", .text)) }
        let isKnown = places["origin"].map { variables[$0].cells[participants.count - 1] != nil } ?? false
        if !isKnown || source.origin.isInvented {
            set(
                .text(source.origin.rawValue), of: "origin",
                .init(label: "whether the data come from a participant", .text))
        }
    }

    mutating func add(
        _ answer: ResultBundle.Answer, _ asked: Step.Asked?, _ language: Language?, named name: String
    ) {
        let title = asked?.question.title?.text(in: language) ?? answer.question
        let meanings = (asked?.format?.meanings ?? []).map { value, text in
            (value: value, text: text.text(in: language))
        }
        switch asked?.kind ?? answer.assumedKind {
        case .scale, .continuous, .number:
            var kind = Kind(label: title, asked?.kind == .scale ? .ordinal : .scale)
            kind.decimals = asked?.kind == .scale ? 0 : 4
            kind.labels = meanings.compactMap { meaning in meaning.value.number.map { ($0, meaning.text) } }
            set(answer.value.map(SPSSFile.Cell.number), of: name, kind)
        case .boolean, .consent:
            var kind = Kind(label: title, .nominal)
            kind.labels = meanings.compactMap { meaning in meaning.value.number.map { ($0, meaning.text) } }
            if kind.labels.isEmpty { kind.labels = [(1, "yes"), (0, "no")] }
            set(answer.text.map { .number($0 == "true" ? 1 : 0) }, of: name, kind)
        case .choice: addChoice(answer, asked, meanings, title, name)
        case .choices:
            let values = meanings.isEmpty ? answer.choices ?? [] : meanings.map { $0.value.words.joined() }
            for (place, value) in values.enumerated() {
                var kind = Kind(
                    label: "\(title): \(meanings.isEmpty ? value : meanings[place].text)", .nominal)
                kind.labels = [(1, "ticked"), (0, "not ticked")]
                let isTicked = answer.choices.map { $0.contains(value) }
                set(isTicked.map { .number($0 ? 1 : 0) }, of: "\(name).\(value)", kind)
            }
        case .date:
            set(answer.text.map { .text(String($0.prefix(10))) }, of: name, .init(label: title, .text))
        case .timeOfDay: set(answer.text.map(SPSSFile.Cell.text), of: name, .init(label: title, .text))
        case .text: break
        }
        guard let reaction = answer.reaction else { return }
        var time = Kind(label: "\(title): reaction time, ms", .scale)
        time.decimals = 1
        set(reaction.time.map { .number($0 * 1_000) }, of: "\(name).ms", time)
        guard let isRight = reaction.isRight else { return }
        var right = Kind(label: "\(title): the right key", .nominal)
        right.labels = [(1, "right"), (0, "wrong")]
        set(.number(isRight ? 1 : 0), of: "\(name).right", right)
    }

    /// Choices whose values are numbers have these; others are counted from 1, in the study's order. A choice that says
    /// that there is no answer has a number of its own, from -99 down, unless its value is one.
    private mutating func addChoice(
        _ answer: ResultBundle.Answer, _ asked: Step.Asked?,
        _ meanings: [(value: Answer, text: String)], _ title: String, _ name: String
    ) {
        let missing = asked?.format?.missingValues ?? []
        let place = place(of: name, Kind(label: title, .nominal))
        let isNumeric = asked?.format.map(\.isNumeric) ?? false
        let given = answer.choices?.first ?? answer.text
        for (value, text) in meanings.map({ ($0.value.words.joined(), $0.text) })
            + (given.map { [($0, $0)] } ?? []) where variables[place].codes[value] == nil
        {
            let isMissing = missing.contains(value)
            let taken = Set(variables[place].codes.values)
            let own = Double(value).flatMap { $0.isFinite && (isNumeric || isMissing) ? $0 : nil }
            var code = own ?? (isMissing ? -99 : 1)
            while taken.contains(code) { code += isMissing ? -1 : 1 }
            variables[place].codes[value] = code
            variables[place].labels.append((code, text))
            if isMissing { variables[place].missing.append(code) }
        }
        variables[place].cells[participants.count - 1] =
            given.flatMap { variables[place].codes[$0] }.map(SPSSFile.Cell.number)
    }

    /// What a column is, before it has values.
    private struct Kind {
        var label: String
        var measure: SPSSFile.Measure
        var decimals = 0
        var labels: [(Double, String)] = []

        init(label: String, _ measure: SPSSFile.Measure) { (self.label, self.measure) = (label, measure) }
    }

    private mutating func set(_ cell: SPSSFile.Cell?, of name: String, _ kind: Kind) {
        let place = place(of: name, kind)
        if let cell { variables[place].cells[participants.count - 1] = cell }
    }

    private mutating func place(of name: String, _ kind: Kind) -> Int {
        if let place = places[name] { return place }
        places[name] = variables.count
        variables.append(
            .init(
                name: unused(name), label: kind.label, measure: kind.measure, decimals: kind.decimals,
                labels: kind.labels))
        return variables.count - 1
    }

    /// A name that SPSS takes, which no other column has.
    private mutating func unused(_ name: String) -> String {
        let plain = String(
            name.unicodeScalars.map { scalar -> Character in
                let isAllowed =
                    scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
                    || scalar == "."
                return isAllowed ? Character(scalar) : "_"
            })
        let hash = SHA256.hexadecimal(of: name).prefix(8)
        var short = plain.utf8.count <= 60 ? plain : "\(plain.prefix(50))_\(hash)"
        if short.hasSuffix(".") { short += "_" }
        var free = short
        var number = 2
        while !names.insert(free.lowercased()).inserted {
            free = "\(short)_\(number)"
            number += 1
        }
        return free
    }
}

extension ResultBundle.Answer {
    /// The kind of answer where no study says it.
    fileprivate var assumedKind: AnswerKind {
        switch ParticipantTrait.Kind(self) {
        case .number: .number
        case .boolean: .boolean
        case .choice: .choice
        case .choices: .choices
        case .arm, nil: .text
        }
    }
}
