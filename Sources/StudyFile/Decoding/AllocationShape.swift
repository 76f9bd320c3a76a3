import StudyModel
import TextFormat

/// How participants are allocated to the arms.
enum AllocationShape {
    /// An allocation, with the places that are checked once the whole study is known.
    struct Draft {
        var value: Allocation
        var method: SourceRange
        var sizes: [Located<Int>]
        var factors: [Located<Identifier>]
    }

    /// A factor of a minimisation.
    private struct Factor {
        var name: Located<Identifier>
        var weight = 1
    }

    private enum Method: String, CaseIterable {
        case simple, blocks, minimisation, list
    }

    static let field = Field(
        "allocation", .mapping(shape), "Allocation",
        "How the program allocates participants to the arms; the draws come from a secret outside of the study.",
        example: ["method": "blocks", "blocks": [4, 6]])

    private static let shape = Shape<Draft>(
        name: "allocation", title: "Allocation",
        description: "How the program allocates participants to the arms.",
        fields: .of(method, blocks, stratify, factors, imbalance, probability, burnIn)
            + .of(
                commitment, refill, publicChance, Field.comment),
        rules: [
            .wordNeeds(key: "method", word: "blocks", "blocks"), only("blocks", with: .blocks),
            only("stratify", with: .blocks, .list), only("factors", with: .minimisation),
            only("imbalance", with: .minimisation), only("probability", with: .minimisation),
            only("burnIn", with: .minimisation), only("publicChance", with: .simple, .blocks, .minimisation),
        ]
    ) { fields in
        let (method, sizes, strata) = (fields.located(method), fields[blocks], fields[stratify])
        let (factors, usesVariance) = (fields[factors], fields[imbalance])
        let (probability, burnIn) = (fields[probability], fields[burnIn])
        let (commitment, refills, chance) = (fields[commitment], fields[refill], fields[publicChance])
        guard let method else { return nil }
        let named = (strata ?? []) + (factors ?? []).map(\.name)
        fields.reading.rejectDuplicates(named, noun: "factor")
        let way: Allocation.Method =
            switch method.value {
            case .simple: .simple
            case .blocks: .blocks((sizes ?? []).map(\.value))
            case .list: .list
            case .minimisation:
                .minimisation(
                    .init(
                        weights: (factors ?? []).map(\.weight), usesVariance: usesVariance ?? false,
                        probability: probability ?? 0.8, burnIn: burnIn ?? 0))
            }
        var allocation = Allocation(way, by: named.map(\.value), commitment: commitment)
        (allocation.refills, allocation.publicChance) = (refills ?? false, chance)
        return Draft(value: allocation, method: method.range, sizes: sizes ?? [], factors: named)
    }

    private static func only(_ key: String, with methods: Method...) -> ShapeRule {
        .needsWord(key, key: "method", words: methods.map(\.rawValue))
    }

    private static let method = Field(
        "method", .word(Method.allCases.map { ($0.rawValue, $0) }), isRequired: true, "Method",
        "simple: each arm by a draw of its own; blocks: in blocks in which every arm has its share; minimisation: so that the "
            + "arms become alike in the factors; list: from a list that was made outside of the program.",
        example: "blocks")
    private static let blocks = Field(
        "blocks", sizes, "Blocks",
        "With 'blocks': the sizes that blocks may have, multiples of the sum of the ratios; the size of each block is drawn. hidden: 'entrain allocation create' gets the sizes, and the study does not tell them.",
        example: [4, 6])
    private static let sizes: Kind<[Located<Int>]> = {
        let list = Kind<[Located<Int>]>.list(
            Kind<Int>.integer(2...1_000).located, atLeast: 1, noun: "size")
        let hidden = Kind<[Located<Int>]>.word([("hidden", [])])
        return Kind(
            schema: { ["anyOf": [list.schema($0), hidden.schema($0)]] },
            read: { node, reading in
                if case .sequence = node.content { return list.read(node, reading) }
                return hidden.read(node, reading)
            })
    }()
    private static let stratify = Field(
        "stratify", .list(Kind<Identifier>.identifier.located, atLeast: 1, noun: "question"), "Stratify",
        "With 'blocks' or 'list': questions, or levels of scores; participants with other answers have blocks, or slots of the list, of their own.",
        example: ["sex"])
    private static let factors = Field(
        "factors", .list(factor, noun: "factor"), "Factors",
        "With 'minimisation': questions, or levels of scores, in which the arms are to be alike; without them, only the numbers of participants are.",
        example: ["sex", ["question": "strain.level", "weight": 2]])
    private static let imbalance = Field(
        "imbalance", .word([("range", false), ("variance", true)]), usual: "range", "Imbalance",
        "With 'minimisation', how far apart the arms are in a factor: the range or the variance of their numbers of participants.",
        example: "variance")
    private static let probability = Field(
        "probability", .number(0.5...1), usual: 0.8, "Probability",
        "With 'minimisation': how probable the arm is that leaves the least imbalance.", example: 0.7)
    private static let burnIn = Field(
        "burnIn", .integer(0...1_000), usual: 0, "Burn-in",
        "With 'minimisation': how many participants are allocated by simple draws before it begins.",
        example: 10)
    private static let commitment = Field(
        "commitment", .sha256, "Commitment",
        "The SHA-256 of the secret, and of the list if there is one, as 'entrain allocation create' prints it; a run with a participant needs it.",
        example: .text(String(repeating: "5f3c9a01", count: 8)))
    private static let refill = Field(
        "refill", .boolean, usual: false, "Refill",
        "Whether the places of participants who did not complete are given again; some arm needs 'places'.",
        example: true)
    private static let publicChance = Field(
        "publicChance", .text(atMost: 200), "Public chance",
        "From which public draw, at which moment, chance is mixed with the secret: 'entrain allocation chance' takes it before the first participant.",
        example: "Lotto 6 aus 49, 6 March 2027")

    private static let factor: Kind<Factor> = {
        let (name, more) = (Kind<Identifier>.identifier.located, Kind.mapping(weighted))
        return Kind(
            schema: { ["anyOf": [name.schema($0), more.schema($0)]] },
            read: { node, reading in
                if case .mapping = node.content { return more.read(node, reading) }
                return name.read(node, reading).map { Factor(name: $0) }
            })
    }()
    private static let weighted = Shape<Factor>(
        name: "factor", title: "Factor", description: "A factor of a minimisation, with its weight.",
        fields: .of(question, weight, Field.comment)
    ) { fields in
        let (name, weight) = (fields[question], fields[weight])
        return name.map { Factor(name: $0, weight: weight ?? 1) }
    }
    private static let question = Field(
        "question", Kind<Identifier>.identifier.located, isRequired: true, "Question",
        "The question, or the level of a score.", example: "sex")
    private static let weight = Field(
        "weight", .integer(1...100), usual: 1, "Weight", "How much the factor counts.", example: 2)
}
