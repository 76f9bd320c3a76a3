import Datasets
import Results
import StudyModel

/// One EDF+ file for each recording of a waveform, with the steps, the clips and the gaps as annotations.
struct EDFExport: ExportWriter {
    static let name = "edf"
    static let title = "EDF+"

    let order: ExportOrder

    func write(_ run: ExportedRun, at index: Int, from bundle: ResultBundle) throws {
        let name = order.names.names[index]
        for series in try run.waveSeries() {
            let channels = zip(series.waves.layout.channels, series.waves.values).map { channel, numbers in
                EDFFile.Channel(
                    label: channel.name, unit: channel.unit ?? "",
                    values: series.grid.map { place in place.map { numbers[$0] } ?? .nan })
            }
            let file = EDFFile(
                channels, rate: series.rate, annotations: Self.annotations(of: run, series),
                patient: name.participant, run: run.source.run,
                recorder: series.recording.recorder, start: run.time(series.start))
            try order.folder.write(
                file.bytes, to: "\(name.folder)/\(name.stem)_recording-\(series.label).edf",
                checking: file.texts)
        }
        // A run without waveforms is told, too.
        var stimuli = BIDSStimuli(nil, order.folder)
        let events = try BIDSEvents.table(of: run, &stimuli)
        try order.folder.write(events.bytes, to: "\(name.folder)/\(name.stem)_events.tsv")
    }

    private static func annotations(of run: ExportedRun, _ series: WaveSeries) -> [EDFFile.Annotation] {
        var annotations: [EDFFile.Annotation] = []
        let length = Double(series.grid.count) / series.rate
        func add(_ text: String, from start: Double, to end: Double) {
            let (from, to) = (max(start - series.start, 0), min(end - series.start, length))
            guard from < to else { return }
            annotations.append(EDFFile.Annotation(onset: from, duration: to - from, text: text))
        }
        for step in run.steps {
            add("step \(step.path)", from: step.start, to: step.end)
            if let clip = step.clip, let onset = clip.onset {
                add("clip \(clip.identifier)", from: onset, to: clip.end ?? step.end)
            }
        }
        for gap in series.recording.gaps {
            add("gap (\(gap.reason))", from: gap.span.lowerBound, to: gap.span.upperBound)
        }
        return annotations.sorted { $0.onset < $1.onset }
    }
}
