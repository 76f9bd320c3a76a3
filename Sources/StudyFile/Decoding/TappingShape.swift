import StudyModel
import TextFormat

/// Which keys a recorder of taps listens to.
enum TappingShape {
    static let fields: [FieldDeclaration] = .of(keys)

    static func read(_ fields: Fields) -> Tapping? {
        guard let keys = fields[keys] else { return Tapping(keys: Tapping.usualKeys) }
        var seen: Set<String> = []
        for key in keys where !seen.insert(key.value).inserted {
            fields.reading.report(
                .tapKeys, "the key '\(key.value)' is listed twice", at: key.range,
                help: "leave one of them out")
        }
        return keys.isEmpty ? nil : Tapping(keys: keys.map(\.value))
    }

    /// Reports taps whose keys are used by something else.
    static func check(_ recorders: [RecorderVariants.Draft], in kind: Step.Kind, _ reading: Reading) {
        let taps = recorders.filter { $0.recorder.tapping != nil }
        for second in taps.dropFirst() {
            reading.report(
                .tapKeys, "a step has one recorder of taps at most", at: second.identifier.range,
                help: "let the first one listen to all keys: each tap says its key")
        }
        guard let first = taps.first else { return }
        guard case .active(let active) = kind else {
            return reading.report(
                .tapKeys, "only an active step can have taps: the keys do something else in this one",
                at: first.identifier.range, help: "put the recorder into a step with 'type: active'")
        }
        let keys = active.reaction?.keys.map(\.name) ?? []
        if let both = first.recorder.tapping?.keys.first(where: keys.contains) {
            reading.report(
                .tapKeys, "the key '\(both)' is also a key of the step's reaction",
                at: first.identifier.range,
                help: "give the taps and the reaction different keys")
        }
        let digit = first.recorder.tapping?.keys.first { Int($0) != nil }
        if let digit, recorders.contains(where: { $0.recorder.rating != nil }) {
            reading.report(
                .tapKeys, "the key '\(digit)' moves the mark of the rating in the same step",
                at: first.identifier.range, help: "tap with the space bar or with letters")
        }
    }

    private static let keys = Field(
        "keys", .list(Kind<String>.tapKey.located, atLeast: 1, noun: "key"), usual: ["space"], "Keys",
        "The keys that count as taps; letters count in upper and lower case.",
        example: ["f", "j"])
}

extension Kind<String> {
    /// The name of a key that can be tapped. A digit may stand without quotes.
    static var tapKey: Kind {
        let words = Tapping.possibleKeys
        let digits = words.compactMap { Int($0) }
        let schema: JSON = [
            "$comment": "space, return, a digit, or a letter other than b, p, q and s",
            "enum": .list(words.map { .text($0) } + digits.map { .integer($0) }),
        ]
        return Kind(schema) { node, reading in
            guard let text = node.scalarText else {
                reading.reportKind(of: node, expected: "a key")
                return nil
            }
            if words.contains(text) { return text }
            let lower = text.lowercased()
            reading.report(
                .tapKeys, "\(node.quotedText) is no key that can be tapped", at: node.range,
                help: words.contains(lower)
                    ? .write(lower.asValue, "write '\(lower)'")
                    : "write space, return, a digit, or a letter other than b, p, q and s, which are commands"
            )
            return nil
        }
    }
}
