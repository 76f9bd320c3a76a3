import Results
import TextFormat

extension RecordingItems {
    /// Readings of apps that give the meaning of their numbers in a value rather than in a key.
    static func rows(ofApp whole: JSON) -> [JSON]? {
        rows(ofHealthAutoExport: whole) ?? rows(ofGoogleFit: whole) ?? rows(ofStreams: whole)
    }

    /// `data.metrics`, one of which is named `heart_rate`: a mean with the lowest and the highest value.
    private static func rows(ofHealthAutoExport whole: JSON) -> [JSON]? {
        let metrics = whole["data"]?["metrics"]?.list ?? whole["metrics"]?.list ?? []
        let items = metrics.filter { $0["name"].map(isRate) == true }.flatMap { $0["data"]?.list ?? [] }
        let rows: [JSON] = items.compactMap { item in
            guard let time = item["date"] ?? item["start"], let rate = item["Avg"] ?? item["qty"] else {
                return nil
            }
            return ["time": time, "heartRate": rate]
        }
        return rows.isEmpty ? nil : rows
    }

    /// Google Fit, in Takeout (`Data Points`, `fitValue`) and from its server (`point`, `value`).
    private static func rows(ofGoogleFit whole: JSON) -> [JSON]? {
        let points = whole["Data Points"]?.list ?? whole["point"]?.list ?? []
        let rows: [JSON] = points.compactMap { point in
            guard point["dataTypeName"]?.text?.hasPrefix("com.google.heart_rate") == true,
                let time = point["startTimeNanos"],
                let value = (point["fitValue"] ?? point["value"])?.list?.first,
                let rate = value["value"]?["fpVal"] ?? value["fpVal"]
            else { return nil }
            return ["time [ns]": time, "heartRate": rate]
        }
        return rows.isEmpty ? nil : rows
    }

    /// Strava's streams: `[{"type":"time","data":[…]},{"type":"heartrate","data":[…]}]`.
    private static func rows(ofStreams whole: JSON) -> [JSON]? {
        let streams: [(String, JSON)] = (whole.list ?? []).compactMap { stream in
            guard let type = stream["type"]?.text, let data = stream["data"], data.list != nil else {
                return nil
            }
            return (type, data)
        }
        return rows(ofColumns: .members(Dictionary(streams) { first, _ in first }))
    }

    private static func isRate(_ name: JSON) -> Bool {
        ColumnName.rates[0].contains(ColumnName(name.text ?? "").text)
    }
}
