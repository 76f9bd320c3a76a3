import Platform
import Results
import TextFormat
import TransparencyLog

extension BundleSearch {
    /// Compares what was found with the logs. A bundle that is not as a log says that it was sealed is damaged, however
    /// whole it is; whoever has withdrawn by a log is left out, also if the record of it was lost.
    mutating func compareWithLogs() {
        var altered: [String: String] = [:]
        var withdrawn: [String: String] = [:]
        for path in seen {
            let name = path.split(separator: "/").last.map { $0.split(separator: ".")[0].uppercased() } ?? ""
            let run = UUIDText.isUUID(name) ? name : RunDescription.atHand(path)?.runUUID ?? ""
            if !leftOut.logged.hasBegun(run), let proof = LogProof(inBundle: path) {
                let arm = RunDescription.atHand(path)?.arm
                leftOut.logged.found(proof, ofRun: run, isAllocated: arm != nil)
            }
            if leftOut.logged.hasWithdrawn(run), let code = RunDescription.atHand(path)?.participant {
                withdrawn[code] = LogEntry.name(ofRun: run)
            }
            if path.hasSuffix(RunningBundle.suffix) {
                if leftOut.logged.isSealed(LogEntry.name(ofRun: run)) {
                    altered[path] = "the log says that it was sealed, and it is open again"
                }
            } else if leftOut.logged.isAltered(run, digest: { Self.sumOfSums(at: path) }) {
                altered[path] = "it is not the bundle that the log says was sealed"
            }
            leftOut.logged.found(run, at: path, isWhole: altered[path] == nil)
        }
        leave(withdrawn: withdrawn.filter { !leftOut.withdrawals.codes.contains($0.key) })
        leftOut.logged.compareLast { LogProof(inBundle: $0) }
        seen = []
        for (path, reason) in altered.sorted(by: { $0.key < $1.key }) { leftOut.add(damaged: path, reason) }
        leave { altered[$0] != nil }
    }

    /// Leaves out participants whose withdrawal a log knows, and the records of the folders do not.
    ///
    /// - Parameter names: the names under which they are counted, by their codes.
    private mutating func leave(withdrawn names: [String: String]) {
        guard !names.isEmpty else { return }
        for (code, name) in names { leftOut.withdrawals.mark(code, as: name) }
        leftOut.logged.lostWithdrawals += names.count
        let codes = Set(names.keys)
        let left = Set(seen.filter { isOf(codes, $0) })
        leave(left.contains)
    }

    private mutating func leave(_ isLeft: (String) -> Bool) {
        bundles.removeAll(where: isLeft)
        known.removeAll { isLeft($0.path) }
        leftOut.unsealed.removeAll(where: isLeft)
    }

    private static func sumOfSums(at path: String) -> String? {
        do { return try Folder(path).digest(of: Sums.fileName).sha256 } catch { return nil }
    }
}
