import StudyModel

extension FieldShape {
    /// A line of `journal.jsonl`: the first, or one of the others.
    package static let journal: FieldShape = .either([
        JournalHeader.form.shape,
        .all(["event": Event.form.shape, "n": .count, "t": .nanoseconds]),
        .all(["effect": Effect.form.shape, "n": .count, "t": .nanoseconds]),
    ])

    /// `manifest.json`.
    package static let manifest = Manifest.form.shape

    /// `plan.json`.
    package static let plan = PlanDocument.form.shape

    /// The members of an object.
    static func members<Root>(_ members: [WireMember<Root>]) -> FieldShape {
        let shapes = { (isRequired: Bool) in
            Dictionary(
                uniqueKeysWithValues: members.filter { $0.isRequired == isRequired }.map {
                    ($0.key, $0.shape)
                })
        }
        return .fields(required: shapes(true), optional: shapes(false))
    }
}
