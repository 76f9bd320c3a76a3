import Allocating
import Glibc
import StudyModel

/// Allocates participants of a ledger one after the other, and prints each when the arm is known. Tests run many of
/// these at once, and kill some.
@main enum AllocateMany {
    /// Arguments: the ledger's folder, and the codes.
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard let path = arguments.first else { exit(64) }
        do throws(LedgerFailure) {
            let ledger = try Ledger(at: path)
            let factors = ledger.contents.design.allocation.factors.indices
            let known = ledger.contents.design.levels
            for (place, code) in arguments.dropFirst().enumerated() {
                let levels = factors.map { known?[$0][place >> $0 & 1] ?? "" }
                let slot = try ledger.assign(code, levels, at: "2026-11-23T12:00:00+0000")
                print(slot.number, slot.participant, slot.arm)
                fflush(nil)
            }
        } catch {
            print("refused: \(error)")
            exit(74)
        }
    }
}
