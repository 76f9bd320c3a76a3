import Statistics
import StudyModel
package import TextFormat

extension PowerSimulation {
    package var quantity: Quantity { Quantity(of: outcome) }

    /// What the simulation was asked, in a sentence.
    package var question: String {
        let size = "\(signed(effect, quantity.places))\(quantity.unitOfNumber)"
        let place =
            switch target {
            case .arm(let name): " in the arm \(printable(name))"
            case .condition(_, let name): " in \(printable(name))"
            case .everyValue, nil: ""
            }
        return
            "Primary outcome, \(quantity.singular): an effect of \(size)\(place) is found where p is at most 0.05."
    }

    /// The smallest tried number of participants that finds the effect often enough; `nil` if none does.
    package func fewest(power: Double) -> Int? { designs.first { $0.found.share >= power }?.participants }

    private var fewest: String {
        guard let most = fewest(power: 0.9) else {
            return fewest(power: 0.8).map {
                "\($0) participants find it with a power of at least 0.8; no number that was tried reaches 0.9."
            } ?? "No number that was tried reaches a power of 0.8."
        }
        guard let less = fewest(power: 0.8), less < most else {
            return "\(most) participants find it with a power of at least 0.9."
        }
        return "\(less) participants find it with a power of at least 0.8, and \(most) with at least 0.9."
    }

    /// The conclusions, one sentence each.
    package var answer: [String] {
        guard let most = designs.last else { return [] }
        var sentences = [fewest]
        if most.falselyFound.interval.lowerBound > 2 * Self.level {
            sentences.append(
                "Without the effect it is found in \(decimals(100 * most.falselyFound.share, 0)) % of studies of "
                    + "\(counted(most.participants, "participant")): the simulated participants' values differ without it, so "
                    + "the power means little.")
        }
        if designs.contains(where: { $0.found.withoutAnswer > 0 }) {
            let told = designs.filter { $0.found.withoutAnswer > 0 }
                .map { "\($0.found.withoutAnswer) of \($0.participants) participants" }
            sentences.append(
                "Some studies had too few values for a test, and found nothing: \(told.joined(separator: ", "))."
            )
        }
        return sentences + assumptions + [effects]
    }

    private var effects: String {
        differing == 0
            ? "The effect is the same for everybody."
            : "The effect differs from person to person, with a standard deviation of \(decimals(100 * differing, 0)) % of it."
    }

    /// The assumptions about the simulated participants, one sentence each.
    private var assumptions: [String] {
        switch outcome.measure.facts.simulation {
        case .hearts:
            [
                "The simulated hearts differ from person to person as those of adults at rest do; on average, they do not respond to music."
            ]
        case .taps:
            [
                "Simulated participants tap 30 ms before the beat on average, with a standard deviation of 25 ms, and do not differ: "
                    + "the spread is not that of people, so the power is a rough guess."
            ]
        case .reactions:
            [
                "Simulated participants react after 0.28 s on average with one key and 0.5 s with several, and do not differ: "
                    + "the spread is not that of people, so the power is a rough guess."
            ]
        case .chance:
            [
                "Simulated participants answer and rate by chance: the spread is not that of people, so the power is a rough guess."
            ]
        }
    }

    /// The simulation as text for people.
    package func text(of study: String, seed: UInt64) -> String {
        let studies = designs.first?.found.studies ?? 0
        let table = aligned(
            [
                [
                    "participants", "power", "95 % interval", "without effect", "95 % interval",
                    "interval's width",
                ]
            ]
                + designs.map { design in
                    [
                        "\(design.participants)", decimals(design.found.share, 3),
                        Self.words(design.found.interval),
                        decimals(design.falselyFound.share, 3), Self.words(design.falselyFound.interval),
                        design.meanWidth.map { decimals($0, quantity.places) } ?? "–",
                    ]
                })
        let lines =
            [
                "\(printable(study)): power by \(studies) simulated studies, seed \(seed)",
                "  \(question)",
            ] + table + answer.map { "  \($0)" }
        return lines.joined(separator: "\n") + "\n"
    }

    package static func words(_ interval: ClosedRange<Double>) -> String {
        "\(decimals(interval.lowerBound, 3)) … \(decimals(interval.upperBound, 3))"
    }

    package func json(of study: String, seed: UInt64) -> JSON {
        [
            "study": .text(study), "seed": .text("\(seed)"), "measure": .text(outcome.measure.rawValue),
            "of": .text(outcome.subject.name),
            "relativeTo": outcome.reference.map { .text($0.name) } ?? .null,
            "by": .texts(outcome.factors.map(\.text)),
            "effect": .real(effect), "unit": .text(quantity.symbol),
            "in": target?.name.map { .text($0) } ?? .null, "level": .real(Self.level),
            "fewestFor80": fewest(power: 0.8).map { .integer($0) } ?? .null,
            "fewestFor90": fewest(power: 0.9).map { .integer($0) } ?? .null,
            "designs": .list(designs.map(\.json)), "remarks": .texts(answer),
        ]
    }
}

extension PowerSimulation.Design {
    fileprivate var json: JSON {
        [
            "participants": .integer(participants), "power": found.json, "withoutEffect": falselyFound.json,
            "meanEstimate": .optional(meanEstimate), "meanError": .optional(meanError),
            "meanWidth": .optional(meanWidth),
        ]
    }
}

extension PowerSimulation.Tally {
    fileprivate var json: JSON {
        [
            "studies": .integer(studies), "found": .integer(found), "withoutAnswer": .integer(withoutAnswer),
            "share": .real(share), "interval": [.real(interval.lowerBound), .real(interval.upperBound)],
        ]
    }
}
