import Datasets
import Results
import TextFormat

/// `participants.tsv`: who took part, with their arm and what they answered before anything was timed.
struct BIDSParticipants {
    private let isPrivate: Bool
    private var rows: [(subject: String, code: String, traits: [String: ParticipantTrait])] = []
    /// Names of columns with what is known by them, in order of appearance.
    private var traits: [ParticipantTrait] = []

    init(isPrivate: Bool) { self.isPrivate = isPrivate }

    /// Runs come by participants, earlier sessions first: what was known first counts.
    mutating func add(_ bundle: ResultBundle, subject: String, code: String) {
        if rows.last?.subject != subject { rows.append((subject, code, [:])) }
        for trait in ParticipantTrait.all(of: bundle) {
            if !traits.contains(where: { $0.name == trait.name }) { traits.append(trait) }
            rows[rows.count - 1].traits.merge([trait.name: trait]) { first, _ in first }
        }
    }

    private var leading: [String] { isPrivate ? ["participant_id"] : ["participant_id", "code"] }

    /// A question may be called like one of the columns before it.
    private func column(of trait: ParticipantTrait) -> String {
        leading.contains(trait.name) ? "answer_\(trait.name)" : trait.name
    }

    var table: BIDSTable {
        var table = BIDSTable(leading + traits.map(column))
        table.rows = rows.map { row in
            let names: [BIDSTable.Cell] = [.text("sub-\(row.subject)"), .text(row.code)]
            return names.prefix(leading.count)
                + traits.map { trait in
                    guard let known = row.traits[trait.name] else { return .missing }
                    return known.kind == .number ? BIDSTable.Cell(known.number) : .text(known.text)
                }
        }
        return table
    }

    var sidecar: JSON {
        var members: [String: JSON] = [
            "participant_id": [
                "Description": .text(
                    isPrivate
                        ? "Pseudonym of the participant" : "The participant, letters and digits of the code")
            ]
        ]
        if !isPrivate {
            members["code"] = BIDSSidecars.column("The participant's code as it was given", escapes: true)
        }
        for trait in traits { members[column(of: trait)] = trait.sidecar }
        return .members(members)
    }
}

extension ParticipantTrait {
    fileprivate var sidecar: JSON {
        let asked =
            "The answer to the question '\(name)' before anything was timed, in the first session that has one"
        return switch kind {
        case .arm: BIDSSidecars.column("The participant's arm", escapes: true)
        case .number, .boolean: BIDSSidecars.column(asked, escapes: false, unit: unit)
        case .choice: BIDSSidecars.column(asked, escapes: true)
        case .choices: BIDSSidecars.column(asked + ", as a JSON list", escapes: true)
        }
    }
}
