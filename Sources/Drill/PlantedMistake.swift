import Platform
import Results

/// Mistakes that the drill puts into the program on purpose: a drill that does not find them is broken itself.
enum NegativeControl: String, CaseIterable {
    /// A write to the journal is said to have worked, and never made.
    case lostWrite = "a write to the journal is left out"
    /// The journal is not synced before the screen says that a step is saved.
    case lostSync = "a sync of the journal is left out"
    /// A file gets its name before its bytes are on the disk.
    case earlyRename = "a file is renamed before its sync"
}

extension Drill {
    /// Whether the drill finds a mistake; it tries every place where the program could make it, until one is found.
    func finds(_ control: NegativeControl) throws(FileFailure) -> Bool {
        let judge = Judge(program: program, whole: whole, isThorough: false)
        switch control {
        case .lostWrite:
            for record in log.records where record.kind == .write && isJournal(record.path) {
                let site = try CaseFolder(named: "control", in: folder)
                let outcome = try program.run(
                    arguments(out: site.output), faults: site.faults(["lose=\(record.number)"]),
                    in: site.scratch)
                let said = Judge.Screen(outcome.said)
                let found = try judge.violations(
                    in: site.output, after: said, mustHoldShown: true, scratch: site.scratch)
                try site.remove()
                if !found.isEmpty { return true }
            }
        case .lostSync:
            // On a busy machine the screen is late, and a second sync may come before its "Saved" does: all of them
            // are left out since the one before.
            var syncs: Set<Int> = []
            for (index, record) in log.records.enumerated() {
                if record.kind == .sync, isJournal(record.path) { syncs.insert(index) }
                guard !syncs.isEmpty, record.kind == .say,
                    String(decoding: record.bytes, as: UTF8.self).contains("Saved: ")
                else { continue }
                if try findsCut(.least, after: index, without: syncs, judge) { return true }
                syncs = []
            }
        case .earlyRename:
            for (index, record) in log.records.enumerated()
            where record.kind == .sync && record.path.hasSuffix(".tmp") {
                let last = log.records.count - 1
                if try findsCut(.names, after: last, without: [index], judge) { return true }
            }
        }
        return false
    }

    private func isJournal(_ path: String) -> Bool { path.hasSuffix("/journal.jsonl") }

    private func findsCut(
        _ mode: PowerCut, after record: Int, without omitted: Set<Int>, _ judge: Judge
    ) throws(FileFailure) -> Bool {
        let site = try CaseFolder(named: "control", in: folder)
        let found = try judgedCut(mode, after: record, 1, leaving: omitted, by: judge, at: site)
        try site.remove()
        return !found.isEmpty
    }
}
