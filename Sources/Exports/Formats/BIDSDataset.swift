import Datasets
import Deidentifying
import Results
import StudyModel

/// A BIDS 1.11 dataset of the datatype `beh`: events, a heart rate each second, and each heart rate as it was received.
final class BIDSDataset: ExportWriter {
    static let name = "bids"
    static let title = "BIDS"
    static let holdsClips = true
    static let isAttributed = true

    private let folder: ExportFolder
    private let names: RunNames
    private let privacy: Privacy?
    private let attribution: Attribution
    private var isPrivate: Bool { privacy != nil }
    private var stimuli: BIDSStimuli
    private var participants: BIDSParticipants
    /// Folder of a session → rows of its `_scans.tsv`.
    private var scans: [String: BIDSTable] = [:]
    /// Labels of tasks → what is known about them.
    private var tasks: [String: Task] = [:]
    /// The texts of each study.
    private var texts: [String: Set<String>] = [:]
    private var programs: Set<String> = []
    private var origins: [RunOrigin: Int] = [:]
    private var statuses: Set<String> = []

    private struct Task {
        var name: String
        var study: String
        var hasSamples = false
        /// Signals that have numbers.
        var signals: Set<Signal> = []
        /// Names of what was rated, by their labels.
        var ratings: [String: String] = [:]
        var program: String
    }

    /// If the clips are not included, events still name them, but no file is referred to.
    init(order: ExportOrder) {
        folder = order.folder
        names = order.names
        privacy = order.privacy
        attribution = order.attribution
        stimuli = BIDSStimuli(order.stimuli, order.folder)
        participants = BIDSParticipants(isPrivate: order.privacy != nil)
    }

    func write(_ run: ExportedRun, at index: Int, from bundle: ResultBundle) throws {
        let name = names.names[index]
        let stem = "\(name.folder)/beh/\(name.stem)"
        participants.add(bundle, subject: name.subject, code: name.participant)
        texts[run.source.study, default: []].insert(run.source.studySHA256)
        programs.insert(run.source.program)
        origins[run.source.origin, default: 0] += 1
        statuses.insert(run.source.status)
        tasks[
            name.task,
            default: Task(name: run.source.task, study: run.source.study, program: run.source.program)
        ].hasSamples =
            try writeRecording(of: run, stem) || tasks[name.task]?.hasSamples == true
        try writeNumbers(of: run, stem, task: name.task)
        try writeRatings(of: run, stem, task: name.task)
        for series in try run.waveSeries() {
            let stem = "\(stem)_recording-\(series.label)"
            try folder.writeNumbers(BIDSWaves.body(of: series), to: "\(stem)_physio.tsv.gz")
            try folder.write(BIDSWaves.sidecar(of: series, run.source.task), to: "\(stem)_physio.json")
        }
        stimuli.read(run, from: bundle)
        try folder.write(BIDSEvents.table(of: run, &stimuli).bytes, to: "\(stem)_events.tsv")
        addScan(run, name)
    }

    private func writeRecording(of run: ExportedRun, _ stem: String) throws -> Bool {
        let received = BIDSHeartRate.received(in: run)
        guard !received.rows.isEmpty else { return false }
        let stem = "\(stem)_recording-heartrate"
        try folder.writeCompressed(received.body, to: "\(stem)_physioevents.tsv.gz")
        try folder.writeCompressed(BIDSHeartRate.everySecond(of: run).body, to: "\(stem)_physio.tsv.gz")
        return true
    }

    /// Writes each number of other signals as received, and interpolated at each whole second.
    private func writeNumbers(of run: ExportedRun, _ stem: String, task: String) throws {
        for (signal, numbers) in run.numbers {
            tasks[task]?.signals.insert(signal)
            let stem = "\(stem)_recording-\(signal.name)"
            try folder.writeCompressed(
                BIDSNumbers.received(numbers).body, to: "\(stem)_physioevents.tsv.gz")
            try folder.writeCompressed(
                BIDSNumbers.everySecond(numbers, of: run).body, to: "\(stem)_physio.tsv.gz")
        }
    }

    /// Writes each rating as moved and sampled, and at each whole second.
    private func writeRatings(of run: ExportedRun, _ stem: String, task: String) throws {
        for rating in run.ratings {
            tasks[task]?.ratings[rating.label] = rating.name
            let stem = "\(stem)_recording-\(rating.label)"
            try folder.writeCompressed(
                BIDSNumbers.received(rating.points).body, to: "\(stem)_physioevents.tsv.gz")
            try folder.writeCompressed(
                BIDSNumbers.everySecond(rating, of: run).body, to: "\(stem)_physio.tsv.gz")
        }
    }

    private func addScan(_ run: ExportedRun, _ name: RunNames.Name) {
        let key = "\(name.folder)/sub-\(name.subject)_ses-\(name.session)_scans"
        // Shifted dates must be recognisable: BIDS wants them before 1925.
        var shown = run
        if privacy?.shiftsDates == true { shown.source.start.seconds -= BIDSHeartRate.fourCenturies }
        scans[key, default: BIDSTable(BIDSSidecars.scanColumns)].rows.append([
            .text("beh/\(name.stem)_events.tsv"), .text(String(shown.time(0).prefix(23))),
            .text(run.source.run), .text(run.source.status), .real(run.source.duration),
            .text(run.source.isRecovered ? "true" : "false"),
            .text(run.source.isClockAdjusted ? "true" : "false"), .text(run.source.origin.rawValue),
            .text(run.source.originText), .text(run.source.study), .integer(run.source.revision),
            .text(run.source.studySHA256),
        ])
    }

    func finish() throws {
        for (key, table) in scans { try folder.write(table.bytes, to: "\(key).tsv") }
        try stimuli.finish()
        try folder.write(BIDSSidecars.scans(statuses), to: "scans.json")
        for (label, task) in tasks {
            try folder.write(
                BIDSSidecars.events(task.name, of: task.study, program: task.program),
                to: "task-\(label)_events.json")
            for signal in task.signals {
                let stem = "task-\(label)_recording-\(signal.name)"
                try folder.write(BIDSNumbers.everySecond(signal, task.name), to: "\(stem)_physio.json")
                try folder.write(BIDSNumbers.received(signal, task.name), to: "\(stem)_physioevents.json")
            }
            for (recording, name) in task.ratings {
                let stem = "task-\(label)_recording-\(recording)"
                try folder.write(BIDSNumbers.everySecond(rating: name, task.name), to: "\(stem)_physio.json")
                try folder.write(
                    BIDSNumbers.received(rating: name, task.name), to: "\(stem)_physioevents.json")
            }
            guard task.hasSamples else { continue }
            let stem = "task-\(label)_recording-heartrate"
            try folder.write(BIDSSidecars.everySecond(task.name), to: "\(stem)_physio.json")
            try folder.write(BIDSSidecars.received(task.name), to: "\(stem)_physioevents.json")
        }
        try folder.write(participants.table.bytes, to: "participants.tsv")
        try folder.write(participants.sidecar, to: "participants.json")
        let studies = texts.keys.sorted().joined(separator: ", ")
        try folder.write(
            BIDSSidecars.description(studies, programs.sorted(), attribution),
            to: "dataset_description.json")
        try folder.write(
            Array(BIDSSidecars.readme(studies, privacy, origins, texts: texts).utf8), to: "README.md")
    }
}
