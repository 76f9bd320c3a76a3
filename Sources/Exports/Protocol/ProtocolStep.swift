import StudyModel
import TextFormat

/// A step as a protocol shows it, with its number and all the forms that the rounds' values give it.
struct ProtocolStep {
    /// Its number, such as `2.1`.
    let number: String
    /// Its form in each round that differs from the others; at least one.
    let variants: [Variant]
    /// The steps of a block.
    let inner: [ProtocolStep]
    /// The steps that a block inserts among its rounds.
    let inserted: [ProtocolStep]

    /// The step with the values of certain rounds.
    struct Variant {
        var step: Step
        /// The clips or conditions of these rounds; empty if the step is the same in all rounds.
        var rounds: [String]
    }

    /// One of its variants, for anything that does not depend on the round.
    var step: Step { variants[0].step }
    var identifier: Identifier { step.identifier }

    /// The block, if it is one.
    var block: Block? { step.block }

    /// The recorders of all its variants.
    var recorders: [RecorderConfiguration] { said(\.recorders).map(\.thing) }

    /// The title that it has in all rounds.
    func title(in language: Language?) -> String? {
        let titles = said { [$0.title?.text(in: language)].compactMap(\.self) }
        return titles.count == 1 ? titles[0].thing : nil
    }

    /// Whether a page says the same about both.
    func isSame(as other: ProtocolStep) -> Bool {
        number == other.number && variants.map(\.step) == other.variants.map(\.step)
            && variants.map(\.rounds) == other.variants.map(\.rounds)
    }

    /// The step, and all steps in it.
    var withInner: [ProtocolStep] { [self] + (inner + inserted).flatMap(\.withInner) }

    /// The steps of a task, numbered.
    static func all(of task: Study.Task, in study: Study) -> [ProtocolStep] {
        numbered([(rounds: "", steps: task.steps)], below: "", from: 1, in: study)
    }

    /// - Parameter versions: the same list of steps in the form of each round.
    private static func numbered(
        _ versions: [(rounds: String, steps: [Step])], below prefix: String, from first: Int, in study: Study
    ) -> [ProtocolStep] {
        (versions.first?.steps.indices ?? 0..<0).map { place in
            let own = versions.compactMap { version in
                version.steps.indices.contains(place) ? (version.rounds, version.steps[place]) : nil
            }
            return ProtocolStep(own, "\(prefix)\(first + place)", in: study)
        }
    }

    private init(_ own: [(rounds: String, step: Step)], _ number: String, in study: Study) {
        self.number = number
        variants = Self.distinct(own)
        var (rounds, inserts): ([(rounds: String, steps: [Step])], [(rounds: String, steps: [Step])]) = (
            [], []
        )
        for (outer, step) in own {
            guard let block = step.block else { continue }
            let pool = block.rows(of: block.set.flatMap(study.rounds)?.pool ?? [])
            if block.filled.isEmpty { rounds.append((outer, block.steps)) }
            for (place, steps) in block.filled.enumerated() {
                let row = pool.indices.contains(place) ? pool[place] : nil
                let seen = block.seenIn.flatMap { _ in row?.attributes[Block.Take.name] }
                let name = (row?.identifier.text ?? "\(place + 1)") + (seen.map { " (\($0))" } ?? "")
                rounds.append((outer.isEmpty ? name : "\(outer), \(name)", steps))
            }
            if let insertion = block.insertion { inserts.append((outer, insertion.steps)) }
        }
        inner = Self.numbered(rounds, below: number + ".", from: 1, in: study)
        inserted = Self.numbered(inserts, below: number + ".", from: inner.count + 1, in: study)
    }

    /// The steps that differ, each with its rounds, in the order of their first rounds.
    private static func distinct(_ own: [(rounds: String, step: Step)]) -> [Variant] {
        var places: [Step: Int] = [:]
        var found: [Variant] = []
        for (rounds, step) in own {
            if let known = places[step] {
                found[known].rounds.append(rounds)
            } else {
                places[step] = found.count
                found.append(Variant(step: step, rounds: [rounds]))
            }
        }
        if found.count == 1 { found[0].rounds = [] }
        return found
    }

    /// Everything that its variants say, each thing once, with the rounds that have it; no rounds if all have it.
    func said<Thing: Hashable>(_ things: (Step) -> [Thing]) -> [(thing: Thing, rounds: [String])] {
        var places: [Thing: Int] = [:]
        var found: [(thing: Thing, rounds: [String], variants: Int)] = []
        for variant in variants {
            for thing in things(variant.step) {
                if let known = places[thing] {
                    found[known].rounds += variant.rounds
                    found[known].variants += 1
                } else {
                    places[thing] = found.count
                    found.append((thing, variant.rounds, 1))
                }
            }
        }
        return found.map { ($0.thing, $0.variants >= variants.count ? [] : $0.rounds) }
    }
}
