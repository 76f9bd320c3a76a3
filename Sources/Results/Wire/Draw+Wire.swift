import StudyModel
import TextFormat

extension PlanDocument {
    /// `plan.json`.
    static let form: WireForm<PlanDocument> = .record(
        PlanDocument.init, WireField("algorithm", \.algorithm, .text(.word([PlanDocument.algorithm]))),
        WireField("study", \.study, .identifier),
        WireField("revision", \.revision, .count), WireField("task", \.task, .identifier),
        WireField("participant", \.participant, .participant), WireField("session", \.session, .ordinal),
        WireField(optional: "arm", \.arm, .identifier), WireField("seed", \.seed, .seed),
        WireField("draws", \.draws, .list()))
}

extension Draw: Wired {
    static let form: WireForm<Draw> = .record(
        { Draw(stream: $0, method: $1, pool: $2, chosen: $3) }, WireField("stream", \.stream, .text),
        WireField("method", \.method, .drawMethod), WireField("pool", \.pool, .list(.text)),
        WireField("chosen", \.chosen, .list(.text))
    ).and {
        WireField(optional: "weights", \.weights, .list(.real))
        WireField(optional: "constraints", \.constraints, .list())
        WireField(optional: "categories", \.categories, .named(.named(.text)))
        WireField(optional: "number", \.number, .count)
        WireField(optional: "row", \.row, .count)
        WireField(optional: "as", \.sameAs, .text)
    }
}

extension WireForm<String> {
    /// How something was drawn or chosen.
    static let drawMethod = text(
        .word([
            "random", "weighted", "withoutReplacement", "fixed", "latinSquare", "williams", "shuffle",
            "reverse",
            "insertion", "as", "uniform", "oneOf", "menu", "play", "otherwise", "answer", "nearest", "adapt",
        ]))
}

extension OrderConstraint: Wired {
    static let form: WireForm<OrderConstraint> = .cases("a constraint") {
        WireCase("noImmediateRepeat", .text, { .noImmediateRepeat(attribute: $0) }) {
            if case .noImmediateRepeat(let attribute) = $0 { attribute } else { nil }
        }
        WireCase(
            "maximumRun",
            .record(
                { ($0, $1, $2) }, WireField("of", \.0, .text), WireField("length", \.1, .count),
                WireField(optional: "only", \.2, .text)),
            { .maximumRun(attribute: $0.0, length: $0.1, only: $0.2) }
        ) {
            if case .maximumRun(let attribute, let length, let only) = $0 {
                (attribute, length, only)
            } else {
                nil
            }
        }
        WireCase(
            "minimumDistance",
            .record(
                { ($0, $1, $2) }, WireField("of", \.0, .text), WireField("steps", \.1, .count),
                WireField(optional: "only", \.2, .text)),
            { .minimumDistance(attribute: $0.0, steps: $0.1, only: $0.2) }
        ) {
            if case .minimumDistance(let attribute, let steps, let only) = $0 {
                (attribute, steps, only)
            } else {
                nil
            }
        }
        WireCase("equalHalves", .text, { .equalHalves(attribute: $0) }) {
            if case .equalHalves(let attribute) = $0 { attribute } else { nil }
        }
        WireCase("firstOf", .list(.identifier), { .firstOf($0) }) {
            if case .firstOf(let names) = $0 { names } else { nil }
        }
        WireCase("notFirst", .list(.identifier), { .notFirst($0) }) {
            if case .notFirst(let names) = $0 { names } else { nil }
        }
        WireCase("notLast", .list(.identifier), { .notLast($0) }) {
            if case .notLast(let names) = $0 { names } else { nil }
        }
    }
}
