import Results
import TextFormat

/// Finds the readings in a JSON file.
///
/// Apps nest them: `activities-heart-intraday.dataset` (Fitbit), `exercises.samples.heartRate` and
/// `deviceDays.samples` (Polar), `heartRateValues` with pairs of time and rate (Garmin).
struct RecordingItems {
    private static let depthLimit = 8

    private struct Candidate {
        var path: String
        var items: [JSON]

        /// Readings with a time come before summaries.
        var rank: Int {
            let names = items.first?.object?.members.map { ColumnName($0.key).text } ?? []
            return names.contains { name in ColumnName.times.dropLast().contains { $0.contains(name) } }
                ? 1 : 0
        }
    }

    private var candidates: [Candidate] = []

    /// The objects or numbers of a file; the whole file if nothing in it looks like readings.
    static func items(of whole: JSON) -> [JSON] {
        if let rows = rows(ofColumns: whole) ?? rows(ofPairs: whole) ?? rows(ofApp: whole) { return rows }
        let plain = whole.list ?? whole["items"]?.list ?? [whole]
        if plain.contains(where: { $0.number != nil || isReading($0, path: "heart") }) { return plain }
        var found = RecordingItems()
        found.gather(whole, path: "", day: nil, depth: 0)
        let best = found.candidates.max { ($0.rank, $0.items.count) < ($1.rank, $1.items.count) }
        return best?.items ?? plain
    }

    /// Objects that consist of lists of equal length, each named by its content: `{"time":[…],"hr":[…]}`.
    static func rows(ofColumns whole: JSON) -> [JSON]? {
        let columns = (whole.object?.members ?? []).compactMap { member in
            (member.value.list ?? member.value["data"]?.list).map { (name: member.key, values: $0) }
        }
        let rate = columns.first { column in
            ColumnName.rates.prefix(2).contains { $0.contains(ColumnName(column.name).text) }
                && column.values.contains { $0.number != nil }
                && column.values.allSatisfy { $0.object == nil }
        }
        guard let count = rate?.values.count, count > 1 else { return nil }
        let alike = columns.filter { $0.values.count == count }
        return (0..<count).map { index in
            .object(JSON.Object(Dictionary(uniqueKeysWithValues: alike.map { ($0.name, $0.values[index]) })))
        }
    }

    /// Objects that consist of pairs of time and rate: `[[1600000010, 60], …]`.
    private static func rows(ofPairs whole: JSON) -> [JSON]? {
        guard let list = whole.list, !list.isEmpty else { return nil }
        let pairs = list.compactMap { Self.reading($0, path: "heart", day: nil) }
        return pairs.count == list.count && list.allSatisfy { $0.list != nil } ? pairs : nil
    }

    /// Whether an object has a rate or intervals, under names that can mean nothing else at that path.
    private static func isReading(_ json: JSON, path: String) -> Bool {
        guard let members = json.object?.members else { return false }
        let last = path.split(separator: ".").last.map { ColumnName(String($0)).text } ?? ""
        let isHeart = path.lowercased().contains("heart") || ColumnName.rates[0].contains(last)
        // A list of readings beside an empty one is no reading.
        let holdsReadings = members.contains { member in
            ColumnName.rates[0].contains(ColumnName(member.key).text)
                && member.value.list?.contains { $0.object != nil } == true
        }
        return !holdsReadings
            && members.contains { member in
                if member.value.object != nil { return isReading(member.value, path: path) }
                if let list = member.value.list, list.isEmpty || list.contains(where: { $0.number == nil }) {
                    return false
                }
                let name = ColumnName(member.key).text
                return ColumnName.rates.prefix(isHeart ? 3 : 2).contains { $0.contains(name) }
                    || ColumnName.intervals.contains(name)
            }
    }

    /// - Parameter day: the date that an outer object names.
    private mutating func gather(_ json: JSON, path: String, day: JSON?, depth: Int) {
        guard depth < Self.depthLimit else { return }
        if let members = json.object?.members {
            let day = json["date"] ?? day
            for member in members {
                gather(member.value, path: path + "." + member.key, day: day, depth: depth + 1)
            }
        } else if let list = json.list, !list.isEmpty {
            let readings = list.compactMap { Self.reading($0, path: path, day: day) }
            if !readings.isEmpty {
                add(readings, at: path)
            } else {
                for item in list { gather(item, path: path, day: day, depth: depth + 1) }
            }
        }
    }

    private static func reading(_ json: JSON, path: String, day: JSON?) -> JSON? {
        if let pair = json.list {
            guard pair.count == 2, pair[0].number != nil, path.lowercased().contains("heart") else {
                return nil
            }
            return ["timestamp": pair[0], "heartRate": pair[1]]
        }
        guard isReading(json, path: path), var object = json.object else { return nil }
        if object["date"] == nil, let day { object["date"] = day }
        return .object(object)
    }

    private mutating func add(_ items: [JSON], at path: String) {
        if let place = candidates.firstIndex(where: { $0.path == path }) {
            candidates[place].items += items
        } else {
            candidates.append(Candidate(path: path, items: items))
        }
    }
}
