import Datasets
import Results
import StudyModel
import TextFormat

/// Open mHealth data points: `heart-rate` 2.0 and `rr-interval` 1.0, one list for each run.
struct OpenMHealthExport: ExportWriter {
    static let name = "openmhealth"
    static let title = "Open mHealth"

    let order: ExportOrder

    func write(_ run: ExportedRun, at index: Int, from bundle: ResultBundle) throws {
        let name = order.names.names[index]
        let stem = "\(name.folder)/\(name.stem)"
        let samples = run.samples
        let rates = samples.enumerated().map { index, sample in
            point(
                "heart-rate", "2.0", index, at: sample.runOffset, arrival: sample.arrivalOffset, of: run,
                sample.source,
                body: ["heart_rate": ["value": .real(sample.value), "unit": "beats/min"]])
        }
        try order.folder.write(.list(rates), to: "\(stem)_heart-rate.json")
        let intervals = Self.intervals(in: run)
        guard !intervals.isEmpty else { return }
        let points = intervals.enumerated().map { index, interval in
            // Rounded to the microsecond, because finer digits only come from the change of units.
            let length = (interval.length * 1e6).rounded() / 1e3
            return point(
                "rr-interval", "1.0", index, at: interval.end, arrival: interval.end, of: run,
                interval.origin,
                body: ["rr_interval": ["value": .real(length), "unit": "ms"]])
        }
        try order.folder.write(.list(points), to: "\(stem)_rr-interval.json")
    }

    /// All intervals between beats, each with the time of its end.
    static func intervals(in run: ExportedRun) -> [(end: Double, length: Double, origin: String)] {
        var intervals = run.beats.map { (end: $0.runOffset, length: $0.value, origin: $0.source) }
        for sample in run.samples {
            var end = sample.runOffset
            for length in sample.rrIntervals.reversed() {
                intervals.append((end, length, sample.source))
                end = ((end - length) * 1e9).rounded() / 1e9
            }
        }
        return intervals.sorted { $0.end < $1.end }
    }

    private func point(
        _ schema: String, _ version: String, _ index: Int, at offset: Double, arrival: Double,
        of run: ExportedRun, _ origin: String, body: [String: JSON]
    ) -> JSON {
        let time = JSON.text(run.time(offset))
        let members = body.merging(["effective_time_frame": ["date_time": time]]) { $1 }
        var provenance: [String: JSON] = [
            "source_name": .text("entrain \(run.source.program), source \(origin)"),
            "source_creation_date_time": time,
        ]
        // Data that were not measured are not called sensed; the schema has no other word for it.
        if run.source.origin.isInvented {
            provenance["source_name"] = .text(
                "entrain \(run.source.program), source \(origin), \(run.source.originText)")
        } else {
            provenance["modality"] = "sensed"
        }
        return [
            "header": [
                "id": .text(PointIdentity.uuid(run.source.run, schema, index)),
                "creation_date_time": .text(run.time(arrival)), "user_id": .text(run.source.participant),
                "schema_id": ["namespace": "omh", "name": .text(schema), "version": .text(version)],
                "acquisition_provenance": .members(provenance),
            ], "body": .members(members),
        ]
    }
}
