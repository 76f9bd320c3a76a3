import Recordings
import Results
import StudyModel
import TextFormat

/// The answer of a polled server.
struct PollAnswer: Hashable, Sendable {
    var readings: [LiveReading] = []
    /// What the next request will say that we know; `nil` if it stays the same.
    var cursor: String?
    /// Invalid readings.
    var problems: [LiveReading.Malformed] = []
    private let waves: [Signal]

    /// Reads `{"cursor": …, "samples": […]}`, a list, a single reading, or one reading a line.
    ///
    /// If the server gives no cursor, the latest time in the readings is used as one.
    ///
    /// - Parameter waves: the waveforms that are wanted.
    init(_ body: [UInt8], waves: [Signal] = []) {
        self.waves = waves
        let whole: JSON?
        do throws(JSON.Malformed) { whole = try JSON(parsing: body) } catch { whole = nil }
        guard let whole else {
            for line in body.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
            where line.contains(where: { $0 != 0x20 && $0 != 0x09 }) { read(line) }
            return
        }
        guard case .object(let members) = whole, let samples = members["samples"] ?? members["items"] else {
            read(whole)
            return
        }
        read(samples)
        switch members["cursor"] {
        case .text(let text): cursor = text
        case .integer(let number): cursor = String(number)
        case .real(let number): cursor = number.description
        case nil, .null, .boolean, .list, .object: break
        }
    }

    private mutating func read(_ line: some Sequence<UInt8>) {
        do throws(JSON.Malformed) {
            read(try JSON(parsing: Array(line)))
        } catch {
            problems.append(
                LiveReading.Malformed(
                    text: "\(quoted(String(decoding: Array(line), as: UTF8.self))): \(error.problem)"))
        }
    }

    private mutating func read(_ json: JSON) {
        let items = if case .list(let items) = json { items } else { [json] }
        for item in items {
            do throws(LiveReading.Malformed) {
                let reading = try LiveReading(item, waves: waves)
                readings.append(reading)
                if let time = reading.time { latest = max(latest ?? time, time) }
                keepLatest(of: item, reading)
            } catch {
                problems.append(error)
            }
        }
    }

    /// The latest time in the readings.
    private var latest: Double?

    /// The time as the server wrote it, so that the server recognises it.
    private mutating func keepLatest(of item: JSON, _ reading: LiveReading) {
        guard let time = reading.time, time == latest, case .object(let members) = item else { return }
        for name in LiveReading.timeNames {
            guard let told = members.members.first(where: { $0.key.lowercased() == name })?.value else {
                continue
            }
            switch told {
            case .text(let text): cursor = text
            case .integer(let number): cursor = String(number)
            case .real(let number): cursor = number.description
            case .null, .boolean, .list, .object: break
            }
            return
        }
    }
}
