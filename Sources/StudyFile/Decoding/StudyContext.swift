import StudyModel

/// What is known about a study while its file is read.
final class StudyContext {
    let library: Library
    /// The study file's name, as diagnostics show it.
    let file: String
    /// Names under `sources`, including sources that could not be read.
    var sources: [String] = []
    /// The sources that could be read, by name.
    var configurations: [String: SourceConfiguration] = [:]
    /// Sets under `stimuli`, including those that could not be read.
    var sets: [StimulusSetDraft] = []
    /// Tables under `conditions`, including those that could not be read.
    var tables: [ConditionTable] = []
    /// The arms under `arms`; `nil` if they could not be read.
    var arms: [Identifier]? = []
    /// The sessions under `sessions`, as far as they could be read.
    var sessions: [SessionsShape.Draft] = []
    /// What the tasks ask that were read so far.
    var asked: [Identifier: EarlierAnswers.Asked] = [:]
    /// What the task that is being read uses of earlier sessions.
    var recalled: [Identifier: RecalledAnswer] = [:]
    /// The steps of the task that is being read that ask for a low latency, in older words.
    var stepsWithLowLatency: [Fields] = []
    /// Whether sounds are soon heard in tasks that say nothing of it.
    var isLatencyUsuallyLow = false
    /// Catalogues by normal path.
    var catalogues: [String: Catalogue] = [:]
    /// Texts of the other files that were read, by normal path relative to the study file.
    var files: [String: String] = [:]
    /// The registration that the study names, with its path and its text.
    var registration: NamedRegistration?
    /// Placeholders in texts of the step that is being read.
    var references: [Located<TextReference>] = []
    /// Clips that the participant chooses, in the step that is being read.
    var chosenClips: [ChosenClip] = []
    /// Steps to which clips of the task are yoked.
    var yokes: [Located<Identifier>] = []
    /// Every text that participants read.
    var texts: [ReadText] = []
    var uses = Uses()
    var otherReadings: [Reading] = []
    /// Blocks with an order, from the tasks that were read so far.
    var orders: [(block: Identifier, range: SourceRange)] = []
    var orderPlaces: [OrderPlace] = []
    var clipUses = ClipUses()
    /// Where each outcome is named.
    var outcomePlaces: [TextPlace] = []
    /// Where each step of the tasks is written that were read so far.
    var stepPlaces: [StepPlace] = []
    /// The warnings to which the study has an answer.
    var expectations: [Expectation] = []
    /// What can be read, and can hardly be meant.
    var doubts: [Diagnostic] = []
    /// The blocks whose steps are being read, the innermost last.
    var enclosingBlocks: [EnclosingBlock] = []

    /// Media files that were looked for, by normal path.
    var checkedMedia: Set<String> = []

    init(library: Library, file: String) {
        self.library = library
        self.file = file
    }

    /// The clips or conditions that a block goes through.
    func rounds(of name: Identifier) -> StimulusSetDraft? {
        sets.first { $0.identifier == name.text } ?? tables.first { $0.name == name.text }?.set
    }

    /// The clips or conditions that a block goes through, with their values.
    func rows(of name: Identifier) -> [RoundRow]? {
        if let table = tables.first(where: { $0.name == name.text }) { return table.rows }
        return rounds(of: name)?.pool?.map { clip in
            var cells = clip.attributes.mapValues { Node(content: .scalar($0, .plain), range: .nowhere) }
            let name = Node(content: .scalar(clip.identifier.text, .plain), range: .nowhere)
            cells[Stimulus.identity] = name
            return RoundRow(identifier: clip.identifier, cells: cells, reading: nil)
        }
    }

    /// Removes and returns the findings in the other files, and releases their readings.
    func removeOtherDiagnostics() -> [Diagnostic] {
        defer {
            otherReadings = []
            tables = []
            texts = []
            uses = Uses()
            catalogues = [:]
        }
        return otherReadings.flatMap(\.diagnostics)
    }

    /// A file's text, after checking that it is text. From now on it belongs to the study.
    func text(of path: String, at range: SourceRange, _ reading: Reading) -> (
        text: String, source: SourceText
    )? {
        let normal = FilePath.normal(path)
        switch library.text(path) {
        case .failure(let problem):
            reading.report(problem, path: path, at: range)
            return nil
        case .success(let bytes):
            let checked = CheckedText(bytes, file: FilePath.normal(path, besides: file))
            guard let text = checked.text else {
                let other = Reading(checked.source, context: self)
                other.add(checked.diagnostics)
                otherReadings.append(other)
                return nil
            }
            files[normal] = text
            return (text, checked.source)
        }
    }
}

extension Reading {
    /// Reads the file that 'entrain freeze' wrote. Its content is compared with the study when the study is run.
    func readRegistration(in folder: Located<String>) {
        let path = FilePath.normal("\(folder.value)/registration.json")
        guard let text = context.text(of: path, at: folder.range, self)?.text else {
            mend(
                at: folder.range, .missingFile,
                Help("write it with 'entrain freeze', and name its folder here; or leave the key out"))
            return
        }
        context.registration = NamedRegistration(
            path: path, text: text, place: TextPlace(folder.range, source))
    }
}

/// The block around the steps that are being read.
struct EnclosingBlock {
    /// The set of its rounds, if any.
    var set: String?
    /// Whether that set exists, if one is named.
    var isSetKnown: Bool
}

/// A set of clips, as far as it could be read.
struct StimulusSetDraft {
    var identifier: String
    /// `nil` if the pool could not be read.
    var pool: [Stimulus]?
}
