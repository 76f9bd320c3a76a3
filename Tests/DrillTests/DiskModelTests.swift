import StudyEngine
import Testing

@testable import Drill

struct DiskModelTests {
    private func model(
        of calls: [(FaultRecord.Kind, String, String, [UInt8])], failing failed: Int? = nil
    ) -> DiskModel {
        var model = DiskModel()
        for (index, (kind, path, newPath, bytes)) in calls.enumerated() {
            model.apply(
                FaultRecord(
                    kind: kind, number: 1, result: index == failed ? -1 : 0, offset: 0, path: "/disk/" + path,
                    newPath: newPath.isEmpty ? "" : "/disk/" + newPath, bytes: bytes), below: "/disk")
        }
        return model
    }

    private func states(_ model: DiskModel, _ mode: PowerCut) -> Set<[String: [UInt8]]> {
        var chance = SplitMix64(seed: 1)
        return Set(
            (0..<200).map { _ in
                Dictionary(
                    uniqueKeysWithValues: model.state(mode, chance: &chance).map { ($0.path, $0.bytes ?? []) }
                )
            })
    }

    @Test func `a file that nobody synced may be whole, empty or missing`() {
        let model = model(of: [(.create, "a", "", []), (.write, "a", "", [1, 2])])
        #expect(states(model, .any) == [[:], ["a": []], ["a": [1, 2]]])
        #expect(states(model, .least) == [[:]])
        #expect(states(model, .names) == [["a": [0, 0]]])
        #expect(states(model, .torn) == [["a": []], ["a": [1]]])
    }

    @Test func `bytes are safe once the file is synced, the name once the folder is`() {
        let synced: [(FaultRecord.Kind, String, String, [UInt8])] = [
            (.create, "a", "", []), (.write, "a", "", [1, 2]), (.sync, "a", "", []),
        ]
        #expect(states(model(of: synced), .any) == [[:], ["a": [1, 2]]])
        #expect(states(model(of: synced + [(.sync, "", "", [])]), .any) == [["a": [1, 2]]])
    }

    @Test func `a later sync does not write what a failed one should have written`() {
        let calls: [(FaultRecord.Kind, String, String, [UInt8])] = [
            (.create, "a", "", []), (.sync, "", "", []), (.write, "a", "", [1, 2]), (.sync, "a", "", []),
            (.sync, "a", "", []),
        ]
        #expect(states(model(of: calls, failing: 3), .least) == [["a": []]])
        #expect(states(model(of: calls, failing: 4), .least) == [["a": [1, 2]]])
        let all: [(FaultRecord.Kind, String, String, [UInt8])] = calls + [(.syncAll, "", "", [])]
        #expect(states(model(of: all, failing: 3), .least) == [["a": []]])
    }

    @Test func `a name that is changed before the bytes are synced may lead to nothing`() {
        let model = model(of: [
            (.create, "a.tmp", "", []), (.write, "a.tmp", "", [7]), (.rename, "a.tmp", "a", []),
            (.sync, "", "", []),
        ])
        #expect(states(model, .any) == [["a": []], ["a": [7]]])
        #expect(states(model, .names) == [["a": [0]]])
    }

    @Test func `what lies in a folder is lost with the folder`() {
        let model = model(of: [
            (.makeFolder, "f", "", []), (.create, "f/a", "", []), (.sync, "f", "", []),
        ])
        #expect(states(model, .any) == [[:], ["f": [], "f/a": []]])
    }

    @Test func `a folder that gets another name keeps what lies in it`() {
        let model = model(of: [
            (.makeFolder, "f.running", "", []), (.create, "f.running/a", "", []),
            (.sync, "f.running", "", []),
            (.sync, "", "", []), (.rename, "f.running", "f", []),
        ])
        #expect(states(model, .any) == [["f.running": [], "f.running/a": []], ["f": [], "f/a": []]])
    }

    @Test func `a removed file and a cut one may still be as they were`() {
        let model = model(of: [
            (.create, "a", "", []), (.write, "a", "", [1, 2]), (.sync, "a", "", []), (.sync, "", "", []),
            (.truncate, "a", "", []), (.remove, "a", "", []),
        ])
        #expect(states(model, .any) == [[:], ["a": []], ["a": [1, 2]]])
    }

    @Test(arguments: [
        DrillCase.Fault.unbroken, .failCut(sync: 4, variant: 2), .kill(call: 3),
        .killRecovery(call: 4, recoveryCall: 5), .killAt(milliseconds: 12),
        .cut(.torn, record: 7, variant: 2), .fail(error: .quota, call: 9, isLasting: true),
        .fail(error: .broken, call: 9, isLasting: false), .short(bytes: 7), .slow(milliseconds: 20),
        .clock(seconds: -86400, call: 2), .source(.flood), .monitor(.silent), .sound(.unplugged),
        .terminal(milliseconds: 700), .ledger(.fail, call: 3),
    ])
    func `a case has a name that does it again`(fault: DrillCase.Fault) {
        #expect(DrillCase(named: DrillCase(fault).description)?.fault == fault)
    }

    @Test(arguments: ["", "kill", "kill/x", "cut-none/1/2", "fail-EPERM/1", "source/kind", "kill/1/2", "/"])
    func `what is no case is refused`(name: String) { #expect(DrillCase(named: name) == nil) }
}
