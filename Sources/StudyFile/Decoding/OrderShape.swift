import StudyModel
import TextFormat

/// How the rounds of a block are ordered.
enum OrderShape {
    /// An order, with the places of the attributes that it names.
    struct Draft {
        var order: Block.Order
        var attributes: [Located<String>]
        /// The values that alone are limited, with their attributes.
        var values: [(attribute: String, value: Located<String>)]
        /// Clips or conditions that must, or must not, be first or last.
        var ends: [Located<Identifier>]
    }

    static let shape = Shape<Draft>(
        name: "order", title: "Order", description: "How the rounds of a block are ordered.",
        fields: .of(draw, sameAs, repeatRule, runRule, distanceRule, halvesRule)
            + .of(firstOf, notFirst, notLast),
        rules: [.atMostOne(["draw", "as"])]
            + [
                "noImmediateRepeat", "maximumRun", "minimumDistance", "equalHalves", "firstOf", "notFirst",
                "notLast",
            ].map { .needsWord($0, key: "draw", words: ["shuffle"]) }
    ) { fields in
        let (method, attribute) = (fields[draw], fields[repeatRule])
        let (run, distance) = (fields[runRule], fields[distanceRule])
        var constraints: [OrderConstraint] = []
        if let attribute { constraints.append(.noImmediateRepeat(attribute: attribute.value)) }
        if let run {
            constraints.append(
                .maximumRun(attribute: run.attribute.value, length: run.number, only: run.only?.value))
        }
        if let distance {
            constraints.append(
                .minimumDistance(
                    attribute: distance.attribute.value, steps: distance.number, only: distance.only?.value))
        }
        let (halves, shared) = (fields[halvesRule], fields[sameAs])
        if let halves { constraints.append(.equalHalves(attribute: halves.value)) }
        let (first, notFirst, notLast) = (fields[firstOf], fields[notFirst], fields[notLast])
        if let first { constraints.append(.firstOf(first.map(\.value))) }
        if let notFirst { constraints.append(.notFirst(notFirst.map(\.value))) }
        if let notLast { constraints.append(.notLast(notLast.map(\.value))) }
        let attributes = [attribute, run?.attribute, distance?.attribute, halves].compactMap(\.self)
        var order = shared.map { Block.Order.sameAs($0.value) } ?? method ?? .fixed
        if case .shuffle = order { order = .shuffle(constraints) }
        let values = [run, distance].compactMap { rule in
            rule.flatMap { rule in rule.only.map { (rule.attribute.value, $0) } }
        }
        return Draft(
            order: order, attributes: attributes, values: values,
            ends: (first ?? []) + (notFirst ?? []) + (notLast ?? []))
    }

    private typealias Rule = (attribute: Located<String>, number: Int, only: Located<String>?)

    private static let draw = Field(
        "draw",
        .word([
            ("fixed", Block.Order.fixed), ("shuffle", .shuffle([])), ("latinSquare", .latinSquare),
            ("williams", .williams),
        ]), usual: "fixed", "Draw",
        "How the order is made: fixed (the pool's), shuffle, latinSquare or williams.", example: "shuffle")
    static let sameAs = Field(
        "as", Kind<Identifier>.identifier.located, "As",
        "An earlier block with the same rounds, whose order this block repeats.", example: "firstSeries")
    private static let repeatRule = Field(
        "noImmediateRepeat", Kind<String>.text(atMost: 64).located, "No immediate repeat",
        "What no two neighbours may share: id, or a key of the catalogue.", example: "mood")
    private static let runRule = Field(
        "maximumRun", .mapping(rule("maximumRun", length, "How many neighbours may be alike.")),
        "Longest run", "How many neighbours may be alike.", example: ["of": "mood", "length": 2])
    private static let distanceRule = Field(
        "minimumDistance",
        .mapping(rule("minimumDistance", steps, "How many places apart two that are alike must be.")),
        "Least distance", "How many places apart two that are alike must be at least; 2 forbids neighbours.",
        example: ["of": "id", "steps": 2])

    private static let halvesRule = Field(
        "equalHalves", Kind<String>.text(atMost: 64).located, "Equal halves",
        "What comes equally often in both halves of the order, the middle round of an odd number being part of the second: id, or a key of the catalogue.",
        example: "mood")

    private static let names = Kind<[Located<Identifier>]>.oneOrMore(
        Kind<Identifier>.identifier.located, noun: "name")
    private static let firstOf = Field(
        "firstOf", names, "First of", "Clips or conditions of which the first round is one.",
        example: ["slow"])
    private static let notFirst = Field(
        "notFirst", names, "Not first", "Clips or conditions that no order begins with.", example: ["silence"]
    )
    private static let notLast = Field(
        "notLast", names, "Not last", "Clips or conditions that no order ends with.", example: ["silence"])

    private static let attribute = Field(
        "of", Kind<String>.text(atMost: 64).located, isRequired: true, "Of",
        "What is compared: id, or a key of the catalogue.", example: "mood")
    private static let only = Field(
        "only", Kind<String>.text(atMost: 64).located, "Only",
        "The only value that is limited; without it, every value is.", example: "deviant")
    private static let length = Field(
        "length", .integer(1...1000), isRequired: true, "Length", "The longest run.", example: 2)
    private static let steps = Field(
        "steps", .integer(1...1000), isRequired: true, "Steps", "The least distance.", example: 2)

    private static func rule(_ name: String, _ number: Field<Int>, _ description: String) -> Shape<Rule> {
        Shape(
            name: name, title: name, description: description,
            fields: .of(attribute, number, only)
        ) { fields in
            let (attribute, number) = (fields[attribute], fields[number])
            let only = fields[only]
            guard let attribute, let number else { return nil }
            return (attribute, number, only)
        }
    }
}
