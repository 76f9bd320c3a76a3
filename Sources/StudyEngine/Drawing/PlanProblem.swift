package import StudyModel

/// Why the draws of a run could not be made.
package enum PlanProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// A square needs the participant's number, and there is none.
    case numberNeeded(set: Identifier)
    /// The study has no such set, or the set has no clips.
    case noClips(set: Identifier)
    /// A weighted draw lacks a usable weight for each clip.
    case weights(set: Identifier)
    /// A step wants the clip of the round, but it is in no round of that set.
    case noRound(step: Identifier, set: Identifier)
    /// A block wants the order of another block that has none, or that has other rounds.
    case noOrder(block: Identifier, of: Identifier)
    /// The rounds of a block cannot be ordered.
    case order(block: Identifier, OrderProblem)

    package var description: String {
        switch self {
        case .numberNeeded(let set):
            "the order of '\(set)' is balanced over participants by their numbers: use a participant code that "
                + "ends in a number from 1, such as P01, or give the number with --participant-number"
        case .noClips(let set): "the set '\(set)' has no clips"
        case .weights(let set):
            "'\(set)' needs one weight per clip, each finite and not negative, and not all 0"
        case .noRound(let step, let set):
            "'\(step)' plays the clip of its round, but no block around it goes through '\(set)'"
        case .noOrder(let block, let other):
            "'\(block)' takes its order from '\(other)', but no such block with the same rounds comes before it"
        case .order(let block, let problem): "the rounds of '\(block)' cannot be ordered: \(problem)"
        }
    }
}

/// The blocks whose constraints allow no order, or make counting the orders too slow.
package func orderProblems(in study: Study) -> [(task: Identifier, block: Identifier, problem: OrderProblem)]
{
    var problems: [(task: Identifier, block: Identifier, problem: OrderProblem)] = []
    for (study, task) in study.inEachArm.flatMap({ study in study.tasks.map { (study, $0) } }) {
        for step in task.allSteps {
            guard case .block(let block) = step.kind, case .shuffle(let constraints) = block.order,
                !constraints.isEmpty, var set = block.set.flatMap(study.rounds)
            else { continue }
            if let other = block.seenIn {
                // Which ones are old makes no difference: no other attribute stands beside it.
                let count = task.allSteps.first { $0.identifier == other }?.block?.take?.count ?? 0
                set.pool = set.pool.enumerated().map {
                    $1.seen($0 < count ? Block.Take.old : Block.Take.new)
                }
            }
            do throws(OrderProblem) {
                _ = try ConstrainedOrder.counting(block.items(of: set), constraints: constraints)
            } catch {
                problems.append((task.identifier, step.identifier, error))
            }
        }
    }
    return problems
}

/// The number at the end of a participant's code: 1 for `P01`.
///
/// - Returns: `nil` if the code ends in no digit (`0` to `9`), in the number 0, or in one beyond 64 bits.
package func participantNumber(of code: String) -> Int? {
    let digits = code.utf8.reversed().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard let number = Int(String(decoding: digits.reversed(), as: UTF8.self)), number > 0 else { return nil }
    return number
}

extension Block {
    /// All that the rounds go through: the pool, repeated as often as the block repeats it.
    func items(of set: StimulusSet) -> [Stimulus] {
        Array(repeatElement(set.pool, count: max(1, repetitions)).joined())
    }
}
