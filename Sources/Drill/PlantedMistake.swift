import Platform
import Results

/// A mistake that the drill plants into the program, to see whether it finds mistakes.
struct PlantedMistake: Sendable {
    /// Where the mistake shows, if not in a run that nothing else happens to.
    private enum Place: Sendable {
        /// Where the power fails just after a call on a path with these words, or after the screen has said them.
        case cut(PowerCut, after: String)
        case cases([DrillCase.Fault])
    }

    let words: String
    /// As `ENTRAIN_FAULTS` says it.
    private var faults: [String] = []
    private var options: [String] = []
    private var place = Place.cases([.unbroken])
    /// No more cases are tried.
    private static let mostCases = 12

    static let all =
        unsynced + [
            PlantedMistake(
                words: "a write to the journal is left out", faults: ["plant=lose,write,*/journal.jsonl,5"]),
            PlantedMistake(words: "every seventh write is left out", faults: ["plant=lose,write,*,*7"]),
            PlantedMistake(
                words: "readings are left out of the recorders' logs",
                faults: ["plant=lose,write,*/recording/*,*3"],
                place: .cases([.killAt(milliseconds: 2700), .killAt(milliseconds: 2300)])),
            PlantedMistake(
                words: "the journal is written twice", faults: ["plant=twice,write,*/journal.jsonl,4+"]),
            PlantedMistake(
                words: "two writes to the journal change places",
                faults: ["plant=hold,write,*/journal.jsonl,6"]),
            PlantedMistake(
                words: "an event in the journal is changed", faults: ["plant=change,write,*/journal.jsonl,6"]),
            PlantedMistake(
                words: "a digit of a recording is changed", faults: ["plant=change,write,*/RRInterval*"]),
            PlantedMistake(
                words: "the last byte of a recording is left out", faults: ["plant=trim,write,*/HKQuantity*"]),
            PlantedMistake(words: "a recording is deleted", faults: ["plant=remove,rename,*/HKQuantity*"]),
            PlantedMistake(words: "logs stay in the bundle", faults: ["plant=lose,remove,*"]),
            PlantedMistake(
                words: "readings are another heart's",
                options: ["--source", "heartRate=simulated:restingRate=65"]),
            PlantedMistake(
                words: "a companion's readings are another heart's",
                options: ["--with", "P02", "--source", "heartRate@P02=simulated:restingRate=65"]),
            PlantedMistake(
                words: "readings are dropped", options: ["--source", "heartRate=simulated:dropouts=0.4"]),
            PlantedMistake(
                words: "a digit that was typed is changed", faults: ["plant=change,read,*"],
                place: .cases([.terminal(milliseconds: 0)])),
            PlantedMistake(words: "everybody can read the files", faults: ["plant=share,create,*"]),
            PlantedMistake(words: "everybody can open the folders", faults: ["plant=share,makeFolder,*"]),
            PlantedMistake(words: "the wall clock is an hour ahead", faults: ["clock=1:3600"]),
            PlantedMistake(
                words: "the exit code is 0 in spite of a failure", faults: ["plant=conceal,exit,*"],
                place: .cases(
                    [30, 60, 90].map { .fail(error: .broken, call: $0, isLasting: true) })),
        ]

    private static let unsynced = [
        PlantedMistake(
            words: "the journal is not synced", faults: ["plant=lose,syncFile,*/journal.jsonl"],
            place: .cut(.least, after: "Saved: ")),
        PlantedMistake(
            words: "the recorders' logs are not synced", faults: ["plant=lose,syncFile,*/recording/*"],
            place: .cut(.least, after: "/recording/03-heartRate-1.jsonl")),
        PlantedMistake(
            words: "folders are not synced", faults: ["plant=lose,syncFolder,*"],
            place: .cut(.least, after: "Saved: ")),
        PlantedMistake(
            words: "files are renamed before they are synced", faults: ["plant=lose,syncFile,*.tmp"],
            place: .cut(.names, after: "Your data are saved in ")),
        PlantedMistake(
            words: "a bundle is sealed before its steps are synced",
            faults: ["plant=lose,syncFile,*/steps/*"],
            place: .cut(.least, after: "Your data are saved in ")),
        PlantedMistake(
            words: "a failed sync of the journal is ignored", faults: ["plant=mute,sync,*/journal.jsonl,3"],
            place: .cut(.least, after: "Saved: ")),
        PlantedMistake(
            words: "a failed sync of a recorder's log is ignored",
            faults: ["plant=mute,sync,*/recording/03-heartRate*,2"],
            place: .cut(.least, after: "/recording/03-heartRate-1.jsonl")),
    ]

    /// Whether a drill finds it; the cases are tried until one does.
    ///
    /// - Parameters:
    ///   - own: a drill of the drill's own study.
    ///   - name: of the folder in which it is looked for.
    func isFound(by own: Drill, in name: String) throws(FileFailure) -> Bool {
        let site = try CaseFolder(named: name, in: own.folder)
        var cutsPower = false
        if case .cut = place { cutsPower = true }
        let drill = try Drill(
            own.study, isOwn: true, with: own.program, in: site.folder, seed: own.seed, options: options,
            mistake: faults, cutsPower: cutsPower)
        for drillCase in cases(in: drill.powered.log)
        where try !drill.violations(of: DrillCase(drillCase), isThorough: false).isEmpty {
            try site.remove()
            return true
        }
        return false
    }

    private func cases(in log: FaultLog) -> [DrillCase.Fault] {
        switch place {
        case .cases(let cases): return cases
        case .cut(let mode, let words):
            let places = log.records.indices.filter { index in
                let record = log.records[index]
                return record.kind == .say
                    ? String(decoding: record.bytes, as: UTF8.self).contains(words)
                    : record.path.contains(words)
            }
            // The last ones come first, because most has been lost by then.
            return places.suffix(Self.mostCases).reversed().map { .cut(mode, record: $0, variant: 1) }
        }
    }
}
