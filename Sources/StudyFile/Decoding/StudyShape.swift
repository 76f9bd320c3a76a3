import StudyModel
import TextFormat

/// The whole file.
enum StudyShape {
    static let shape = Shape<Study>(
        name: "file", title: "Entrain study", description: "A research study, version 1 of the format.",
        fields: .of(
            FormatVersion.field, study, sources, stimuli, conditions, ArmsShape.field, AllocationShape.field,
            OutcomesShape.field,
            nextTask)
            + .of(SessionsShape.field, tasks, ExpectShape.ofStudy, Field.comment)
    ) { fields in
        FormatVersion.check(fields)
        let context = fields.reading.context
        ExpectShape.remember(fields[ExpectShape.ofStudy], within: nil, fields.reading)
        let head = fields[study]
        context.isLatencyUsuallyLow = head?.isLatencyLow ?? false
        context.sources = names(fields.node(sources))
        let sources = fields[sources] ?? []
        context.configurations = Dictionary(sources.map { ($0.key.value.text, $0.value) }) { first, _ in first
        }
        let pools = fields[stimuli] ?? []
        context.sets = names(fields.node(stimuli)).map { name in
            StimulusSetDraft(identifier: name, pool: pools.first { $0.key.value.text == name }?.value.pool)
        }
        let arms = fields[ArmsShape.field] ?? []
        context.arms = ArmsShape.areAllRead(arms, of: fields) ? arms.map(\.name.value) : nil
        ArmsShape.check(arms, fields.reading)
        let listed = fields[SessionsShape.field] ?? []
        let sessions = listed.flatMap(\.expanded)
        context.sessions = sessions
        let contents = Content.all(of: fields, in: arms)
        let (tables, drafts) = (contents[0].tables, contents[0].tasks)
        ArmsShape.check(arms, beside: context.tables, fields.reading)
        for table in tables where context.sets.contains(where: { $0.identifier == table.key.value.text }) {
            fields.reading.report(
                .duplicateIdentifier, "there is also a stimulus set '\(table.key.value)'",
                at: table.key.range,
                help: "give the table a name of its own")
        }
        fields.reading.rejectDuplicates(drafts.map(\.identifier), noun: "task")
        let tasks = contents.map { $0.usable(as: head) }
        let languages = context.languages()
        if !tasks[0].isEmpty, tasks[0].count == drafts.count {
            check(fields, UseChecks(tasks.flatMap(\.self), fields.reading), head)
        }
        let next = fields.located(nextTask)
        let allocation = fields[AllocationShape.field]
        let outcomes = fields[OutcomesShape.field] ?? []
        if let next { check(next, tasks: drafts.count, hasSeed: head?.seed != nil, fields) }
        if case .sequence(let nodes) = fields.node(SessionsShape.field)?.content,
            nodes.count == listed.count
        {
            SessionChecks(
                sessions: sessions, tasks: drafts, nextTask: next,
                hasSeed: head.map { $0.seed != nil } ?? true,
                reading: fields.reading
            ).check()
        }
        guard let head, !tasks[0].isEmpty else { return nil }
        var study = Study(
            identifier: head.identifier, revision: head.revision, title: head.title, seed: head.seed,
            sources: sources.map { .init(identifier: $0.key.value, configuration: $0.value) },
            stimulusSets: pools.map {
                var set = StimulusSet(identifier: $0.key.value, pool: $0.value.pool)
                set.isOverSessions = $0.value.overSessions != nil
                return set
            },
            tasks: tasks[0],
            languages: languages)
        study.kiosk = head.kiosk
        (study.nextTask, study.sessions) = (next?.value, sessions.map(\.session))
        study.conditions = contents[0].conditions
        study.arms = arms.enumerated().map { place, arm in
            let own = min(place, contents.count - 1)
            var read = Study.Arm(
                identifier: arm.name.value, tasks: tasks[own], conditions: contents[own].conditions)
            (read.title, read.ratio, read.places) = (arm.title, arm.ratio, arm.places)
            return read
        }
        study.allocation = allocation?.value
        ArmsShape.checkUse(
            of: arms, in: study, [fields.node(conditions), fields.node(Self.tasks)].compactMap(\.self),
            fields.reading)
        SessionChecks.checkDraws(
            of: study, pools.map { ($0.key.value, $0.value.overSessions) }, fields.reading)
        if contents.allSatisfy({ $0.tasks.allSatisfy { $0.task != nil } }), context.arms != nil,
            allocation != nil || !fields.seemsGiven(AllocationShape.field)
        {
            AllocationChecks(study, allocation, drafts, fields.reading).check()
        }
        if tasks[0].count == drafts.count {
            study.outcomes = OutcomesShape.resolved(outcomes, in: study, fields.reading)
        }
        return study
    }

    /// The parts that arms may have of their own.
    private struct Content {
        var tables: [Entry<[RoundRow]>]
        var tasks: [TaskShape.Draft]

        var conditions: [StimulusSet] {
            tables.map { StimulusSet(identifier: $0.key.value, pool: $0.value.map(\.condition)) }
        }

        func usable(as head: Head?) -> [Study.Task] {
            tasks.compactMap { draft in
                guard var task = draft.task else { return nil }
                task.isAudioRequired = draft.isAudioRequired ?? head?.isAudioRequired ?? false
                task.isLatencyLow = draft.isLatencyLow ?? head?.isLatencyLow ?? false
                task.resume = task.resume ?? head?.resume
                task.alarms = task.alarms ?? head?.alarms
                return task
            }
        }

        /// One content for all arms if they have no values, or none that is used; otherwise one for each.
        static func all(of fields: Fields, in arms: [ArmsShape.Draft]) -> [Content] {
            let names = Set(arms.flatMap(\.row.cells.keys))
            let nodes = [fields.node(StudyShape.conditions), fields.node(StudyShape.tasks)].compactMap(\.self)
            guard nodes.contains(where: { $0.uses(names) }), !names.isEmpty else { return [Content(fields)] }
            defer { fields.reading.arm = nil }
            let texts = fields.reading.context.texts
            return arms.map { arm in
                // Texts for participants are collected, and reported, only once.
                fields.reading.context.texts = texts
                var places = FilledRow(arm.row)
                let filled = fields.map { places.filled($0) }
                fields.reading.arm = places
                return Content(filled)
            }
        }

        private init(_ fields: Fields) {
            let context = fields.reading.context
            let tables = fields[StudyShape.conditions] ?? []
            context.tables = names(fields.node(StudyShape.conditions)).map { name in
                ConditionTable(name: name, rows: tables.first { $0.key.value.text == name }?.value)
            }
            self.tables = tables
            context.asked = [:]
            tasks = fields[StudyShape.tasks] ?? []
        }
    }

    private static func check(_ fields: Fields, _ checks: UseChecks, _ head: Head?) {
        checks.checkNames(
            fields.node(sources), noun: "source", isUsed: checks.isUsed(source:))
        checks.checkNames(
            fields.node(stimuli), noun: "stimulus set", isUsed: checks.isUsed(set:))
        guard let head, let place = fields.node(study)?.range else { return }
        checks.checkSquares(hasSeed: head.seed != nil, study: place)
    }

    private static func check(
        _ next: Located<Study.NextTask>, tasks: Int, hasSeed: Bool, _ fields: Fields
    ) {
        if tasks == 1 {
            fields.reading.report(
                .misplacedKey, "'nextTask' has a meaning only with several tasks", at: next.range,
                help: "leave it out, or add the other tasks")
        }
        switch next.value {
        case .menu, .fixed: return
        case .shuffle, .latinSquare, .williams: break
        }
        guard !hasSeed, let place = fields.node(study)?.range else { return }
        let seed = "seed: 20151112"
        fields.reading.report(
            .noSeed, "each session draws another order of the tasks unless all share a seed", at: next.range,
            help: Help(
                "add '\(seed)' to 'study': any whole number, chosen once",
                edits: fields.reading.source.insertion(of: seed, at: place)), severity: .warning)
    }

    private struct Head {
        var identifier: Identifier
        var revision: Int
        var title: LocalizedText
        var seed: UInt64?
        var isAudioRequired: Bool
        var isLatencyLow: Bool
        var kiosk: Identifier?
        var resume: ResumeRule?
        var alarms: [AlarmRule]?
    }

    private static let study = Field(
        "study", .mapping(headShape), isRequired: true, "Study", "What the study is called.",
        example: ["identifier": "music-heart-rate", "title": "Music + Heart Rate"])
    private static let sources = Field(
        "sources", .map(.variants(SourceKind.variants), noun: "source"), "Sources",
        "Where heart rates and other signals come from, by name.",
        example: ["heartRate": ["type": "simulated", "restingRate": 64]])
    private static let stimuli = Field(
        "stimuli", .map(.mapping(StimulusSetShape.shape), noun: "set"), "Stimuli", "Sets of clips, by name.",
        example: ["clips": ["catalogue": "../Media/clips.yaml"]])
    private static let conditions = Field(
        "conditions", .map(.mapping(ConditionsShape.shape), noun: "table"), "Conditions",
        "Tables of conditions, by name: rows with values for the rounds of blocks.",
        example: [
            "tempi": ["rows": [["identifier": "slow", "tempo": 60], ["identifier": "fast", "tempo": 120]]]
        ])
    private static let nextTask = Field(
        "nextTask", .word(Study.NextTask.allCases.map { ($0.rawValue, $0) }), "Next task",
        "Which task a run does without --task: the one that the participant chooses (menu), or one a session in this order.",
        example: "menu")
    private static let tasks = Field(
        "tasks", .list(.mapping(TaskShape.shape), atLeast: 1, noun: "task"), isRequired: true, "Tasks",
        "The tasks of the study.",
        example: [["identifier": "MusicTask", "steps": [["type": "completion", "identifier": "end"]]]])

    private static let headShape = Shape<Head>(
        name: "study", title: "Study", description: "What the study is called, and its random seed.",
        fields: .of(
            identifier, revision, title, seed, audio, latency, kiosk, ResumeShape.field,
            AlarmsShape.field, registration)
            + .of(Field.comment)
    ) { fields in
        let (name, revision) = (fields[identifier], fields[revision])
        let (title, seed) = (fields[title], fields[seed])
        let (audio, latency) = (fields[audio], fields[latency])
        let kiosk = fields[kiosk]
        let (resume, alarms) = (fields[ResumeShape.field], fields[AlarmsShape.field])
        if let folder = fields.located(registration) { fields.reading.readRegistration(in: folder) }
        guard let name, let title else { return nil }
        return Head(
            identifier: name, revision: revision ?? 1, title: title, seed: seed,
            isAudioRequired: audio ?? false, isLatencyLow: latency ?? false, kiosk: kiosk, resume: resume,
            alarms: alarms)
    }

    private static let identifier = Field(
        "identifier", .identifier, isRequired: true, "Identifier", "The study's name for programs.",
        example: "music-heart-rate")
    private static let revision = Field(
        "revision", .integer(1...1_000_000), usual: 1, "Revision",
        "Add one with each change of the study's content.",
        example: 2)
    private static let title = Field(
        "title", .localizedText, isRequired: true, "Title", "The study's name for people.",
        example: "Music + Heart Rate")
    private static let seed = Field(
        "seed", .seed, "Seed",
        "The seed of every random draw, which --seed replaces; without either, each run draws its own and records it.",
        example: 20_151_112)

    private static let audio = TaskShape.audio(usual: "optional")
    private static let latency = TaskShape.latency(usual: "usual")
    private static let kiosk = Field(
        "kiosk", .identifier, "Kiosk",
        "The word that must be typed after Ctrl-C to leave, pause or suspend a run; --kiosk replaces it.",
        example: "sesame")

    private static let registration = Field(
        "registration", .path, "Registration",
        "The folder that 'entrain freeze' wrote; a run with another study than the registered one needs --deviation.",
        example: "registration")

    private static func names(_ node: Node?) -> [String] {
        guard case .mapping(let pairs) = node?.content else { return [] }
        return pairs.map(\.key.value)
    }
}
