import StudyModel
import TextFormat

/// The arms of a study: groups of participants, each with values of its own.
enum ArmsShape {
    /// An arm as it was read.
    struct Draft {
        var name: Located<Identifier>
        var title: LocalizedText?
        var ratio = 1
        var places: Int?
        /// Its values as they are written, with the places of their names.
        var values: [Entry<Node>]
        /// The reading of the file that the values are in.
        var reading: Reading

        /// Its values, as tasks and conditions use them.
        var row: RoundRow {
            let cells = values.map { ($0.key.value.text, $0.value) }
            return RoundRow(
                identifier: name.value, cells: Dictionary(cells) { first, _ in first }, reading: reading)
        }
    }

    static let field = Field(
        "arms", .list(arm, atLeast: 2, noun: "arm"), "Arms",
        "Groups of participants: names, or names with values that tasks and conditions use.",
        example: [
            ["identifier": "music", "values": ["song": "chill_1"]],
            ["identifier": "quiet", "values": ["song": "silence"]],
        ])

    /// Whether all of them could be read.
    static func areAllRead(_ arms: [Draft], of fields: Fields) -> Bool {
        guard let node = fields.node(field) else { return !fields.seemsGiven(field) }
        guard case .sequence(let nodes) = node.content else { return false }
        return nodes.count == arms.count
    }

    /// Reports arms with the same name, values that some arm lacks, and values whose names mean something else.
    static func check(_ arms: [Draft], _ reading: Reading) {
        reading.rejectDuplicates(arms.map(\.name), noun: "arm")
        let names = Set(arms.flatMap { $0.values.map(\.key.value.text) })
        for arm in arms {
            for name in names.sorted() where arm.row.cells[name] == nil {
                reading.report(
                    .missingValue, "the arm '\(arm.name.value)' has no '\(name)'", at: arm.name.range,
                    help: "add it to its values: every arm has the same")
            }
            for value in arm.values {
                reading.rejectReserved(Located(value: value.key.value.text, range: value.key.range))
            }
        }
    }

    /// Reports values with the same names as columns, because a placeholder must have only one meaning.
    static func check(_ arms: [Draft], beside tables: [ConditionTable], _ reading: Reading) {
        for value in arms.flatMap(\.values) {
            let name = value.key.value.text
            guard let table = tables.first(where: { $0.rows?.contains { $0.cells[name] != nil } == true })
            else { continue }
            reading.report(
                .attributeName, "the conditions '\(table.name)' have a value '\(name)', too",
                at: value.key.range, help: "give it a name of its own")
        }
    }

    /// Doubts arms between which nothing differs, and values that nothing uses.
    ///
    /// - Parameter used: the tasks and the tables of conditions as they are written.
    static func checkUse(of arms: [Draft], in study: Study, _ used: [Node], _ reading: Reading) {
        for value in arms.first?.values ?? [] where !used.contains(where: { $0.uses([value.key.value.text]) })
        {
            reading.doubt(
                .unusedName, "nothing uses the arms' value '\(value.key.value)'", at: value.key.range,
                help: Help("write '$\(value.key.value)' where it is meant, or leave it out"))
        }
        guard let first = study.arms.first, let place = arms.first?.name.range,
            study.arms.allSatisfy({ $0.tasks == first.tasks && $0.conditions == first.conditions })
        else { return }
        let asks = first.tasks.flatMap(\.allSteps).flatMap(\.conditions).flatMap(\.subjects).contains(.arm)
        guard !asks else { return }
        reading.doubt(
            .sameArms,
            "participants of the arms \(listed(study.arms.map { "'\($0.identifier)'" })) do the same",
            at: place,
            help:
                "let a rule ask for '{arm: …}', or give the arms values that differ; if the arms differ outside of the program, say so with 'expect: {same-arms: REASON}'"
        )
    }

    /// A name, or a mapping with details.
    private static let arm: Kind<Draft> = {
        let (name, more) = (Kind<Identifier>.identifier, Kind.mapping(shape))
        return Kind(
            schema: { ["anyOf": [name.schema($0), more.schema($0)]] },
            read: { node, reading in
                if case .mapping = node.content { return more.read(node, reading) }
                return name.located.read(node, reading).map { Draft(name: $0, values: [], reading: reading) }
            })
    }()
    private static let shape = Shape<Draft>(
        name: "arm", title: "Arm", description: "A group of participants.",
        fields: .of(identifier, title, ratio, places, values, Field.comment)
    ) { fields in
        let (name, title, ratio) = (fields[identifier], fields[title], fields[ratio])
        let (places, values) = (fields[places], fields[values])
        return name.map {
            Draft(
                name: $0, title: title, ratio: ratio ?? 1, places: places, values: values ?? [],
                reading: fields.reading)
        }
    }
    private static let identifier = Field(
        "identifier", Kind<Identifier>.identifier.located, isRequired: true, "Identifier",
        "The arm's name, unique in the study.", example: "music")
    private static let title = Field(
        "title", .localizedText, "Title", "The arm's name for people.", example: "With music")
    private static let ratio = Field(
        "ratio", .integer(1...100), usual: 1, "Ratio",
        "How many participants the arm has for each one of an arm with the ratio 1.", example: 2)
    private static let places = Field(
        "places", .integer(1...100_000), "Places",
        "With 'allocation': how many participants the arm can have at most; without it, as many as come.",
        example: 20)
    private static let values = Field(
        "values", .map(.scalar, noun: "value"), "Values",
        "Values by name, the same names in every arm: $name stands for one, and {name} in texts.",
        example: ["song": "chill_1", "wait": "20 s"])
}

extension Reading {
    /// Reports a value's name that means something else where it is used.
    func rejectReserved(_ name: Located<String>) {
        let text = name.value
        if ["repeat", "repeats", "weight", "weights"].contains(text) {
            report(
                .attributeName, "'\(text)' is a value like any other: it makes no row come more often",
                at: name.range,
                help:
                    "for more rounds write the row again, or 'repeat' at the block; or give the value another name",
                severity: .warning)
        }
        guard TextReference(text) != nil || text == Stimulus.identity else { return }
        report(
            .attributeName,
            text == Stimulus.identity
                ? "'id' is the name of the clip or condition itself"
                : "in texts, '{\(text)}' is filled in with something else during the run", at: name.range,
            help: "give the value another name")
    }
}
