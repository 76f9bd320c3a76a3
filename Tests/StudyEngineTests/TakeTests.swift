import StudyEngine
import StudyModel
import Testing

/// Blocks that take some of their rows, and blocks that know which.
@Suite struct TakeTests {
    private static func study(
        _ take: Block.Take, of count: Int, passes: Int = 1, order: Block.Order = .shuffle([])
    ) -> Study {
        let rows = (1...count).map {
            Stimulus(
                identifier: Identifier("m\($0)") ?? "m", file: "", path: "", attributes: ["at": "\($0)"])
        }
        var (first, second) = (
            Block(set: "rows", steps: [read("hear")]),
            Block(set: "rows", order: order, steps: [read("judge")])
        )
        first.take = take
        second.seenIn = "study"
        second.filled = second.rows(of: rows).map { row in
            var judge = read("judge")
            judge.title = .plain("\(row.identifier) \(row.attributes[Block.Take.name] ?? "")")
            return [judge]
        }
        let outer = Block(
            repetitions: passes, steps: [block("study", first), block("test", second)])
        var study = Study(
            identifier: "s", title: .plain("S"),
            tasks: [Study.Task(identifier: "T", steps: [block("outer", outer), thanks])])
        study.conditions = [StimulusSet(identifier: "rows", pool: rows)]
        return study
    }

    /// What was taken, and the titles of the later block, pass by pass.
    private static func drawn(_ study: Study, _ number: Int) throws -> (taken: [[String]], judged: [[String]])
    {
        let plan = try RunPlan(
            drawing: study, task: study.tasks[0], participant: "P\(number)", number: number, session: 1,
            seed: 1)
        let entries = plan.sections[0].passes[0]
        let passes = Set(entries.map { $0.blocks[1].pass }).sorted()
        return (
            passes.map { pass in
                entries.filter { $0.blocks[1].pass == pass && $0.step.identifier == "hear" }.compactMap {
                    $0.clipOfRound?.stimulus.identifier.text
                }
            },
            passes.map { pass in
                entries.filter { $0.blocks[1].pass == pass && $0.step.identifier == "judge" }.compactMap {
                    $0.step.title?.text(in: nil)
                }
            }
        )
    }

    @Test(arguments: [false, true])
    func `the later block has everything once, and knows what was taken`(isRow: Bool) throws {
        for number in 1...20 {
            let (taken, judged) = try Self.drawn(
                Self.study(.init(4, isRow: isRow), of: 9, passes: 3), number)
            #expect(taken.count == 3)
            for (old, titles) in zip(taken, judged) {
                #expect(Set(old).count == 4)
                let expected = (1...9).map { "m\($0) \(old.contains("m\($0)") ? "old" : "new")" }
                #expect(titles.sorted() == expected.sorted())
            }
            if !isRow, number == 1 { #expect(Set(taken.map { $0.sorted() }).count > 1, "drawn anew") }
        }
    }

    @Test func `a Latin square takes everything equally often`() throws {
        var counts: [String: Int] = [:]
        for number in 1...9 {
            for name in try Self.drawn(Self.study(.init(4, isRow: true), of: 9), number).taken.joined() {
                counts[name, default: 0] += 1
            }
        }
        #expect(counts.count == 9 && counts.values.allSatisfy { $0 == 4 })
    }

    @Test func `every choice is as likely as any other`() throws {
        var counts: [[String]: Int] = [:]
        for number in 1...3000 {
            counts[try Self.drawn(Self.study(.init(2), of: 4), number).taken[0].sorted(), default: 0] += 1
        }
        #expect(counts.count == 6 && counts.values.allSatisfy { abs($0 - 500) < 100 }, "\(counts)")
    }

    /// Twelve rows: four items, each with three versions.
    private static func lists(isRow: Bool) -> Study {
        var study = study(.init(4, isRow: isRow, each: "item"), of: 12)
        for row in study.conditions[0].pool.indices {
            study.conditions[0].pool[row].attributes = ["item": "i\(row / 3)", "version": "v\(row % 3)"]
        }
        return study
    }

    @Test(arguments: [false, true])
    func `takes one row of each item, and over participants each row equally often`(isRow: Bool) throws {
        var counts: [String: Int] = [:]
        for number in 1...300 {
            let taken = try Self.drawn(Self.lists(isRow: isRow), number).taken[0]
            #expect(
                Set(taken.map { ((Int($0.dropFirst()) ?? 0) - 1) / 3 }) == [0, 1, 2, 3] && taken.count == 4)
            for name in taken { counts[name, default: 0] += 1 }
        }
        #expect(counts.count == 12)
        // By chance 100 of 300, with a standard deviation of 8.
        #expect(counts.values.allSatisfy { isRow ? $0 == 100 : (60...140).contains($0) })
    }

    @Test func `the later block can be ordered by what was taken`() throws {
        let order = Block.Order.shuffle([.maximumRun(attribute: Block.Take.name, length: 1)])
        let study = Self.study(.init(3), of: 6, passes: 4, order: order)
        #expect(orderProblems(in: study).isEmpty)
        for titles in try Self.drawn(study, 1).judged {
            let seen = titles.map { $0.hasSuffix("old") }
            #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 != $1 })
        }
        #expect(orderProblems(in: Self.study(.init(1), of: 6, order: order)).count == 1)
    }
}
