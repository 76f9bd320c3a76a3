import Results
import TextFormat

extension RecordingItems {
    /// Readings of apps that give the meaning of their numbers in a value rather than in a key.
    static func rows(ofApp whole: JSON) -> [JSON]? {
        rows(ofHealthAutoExport: whole) ?? rows(ofGoogleFit: whole) ?? rows(ofStreams: whole)
            ?? rows(ofSuunto: whole) ?? rows(ofOura: whole)
    }

    /// Suunto's samples, some with a rate in Hz, others with a list of intervals.
    private static func rows(ofSuunto whole: JSON) -> [JSON]? {
        let samples = whole["DeviceLog"]?["Samples"]?.list ?? whole["Samples"]?.list ?? []
        let rows: [JSON] = samples.compactMap { outer in
            let sample = outer["Attributes"]?["suunto/sml"]?["Sample"] ?? outer
            guard let time = outer["TimeISO8601"] ?? sample["TimeISO8601"] else { return nil }
            if let intervals = sample["R-R"]?["Data"] ?? outer["Attributes"]?["suunto/sml"]?["R-R"]?["Data"] {
                return ["time": time, "rr": intervals]
            }
            return sample["HR"]?.number.map {
                ["time": time, "heartRate": .real((60_000 * $0).rounded() / 1000)]
            }
        }
        return rows.isEmpty ? nil : rows
    }

    /// Oura's nights: a rate every `interval` seconds after `timestamp`, or every 5 minutes after `bedtime_start`.
    private static func rows(ofOura whole: JSON) -> [JSON]? {
        let nights = whole["data"]?.list ?? whole["sleep"]?.list ?? whole.list ?? [whole]
        let rows: [JSON] = nights.flatMap { night -> [JSON] in
            let series = night["heart_rate"]
            guard let rates = series?["items"]?.list ?? night["hr_5min"]?.list,
                let text = (series?["timestamp"] ?? night["bedtime_start"])?.text,
                let start = RecordedTime.instant(of: text)
            else { return [] }
            let step = series?["interval"]?.number ?? 300
            return rates.enumerated().map { index, rate in
                ["time [s]": .real(start + Double(index) * step), "heartRate": rate]
            }
        }
        return rows.isEmpty ? nil : rows
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
