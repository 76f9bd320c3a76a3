import Physiology
import Results
import TextFormat

/// The output of `entrain pulse` about a recording.
struct PulseReport {
    let pulse: Pulse
    let trace: PulseTrace

    init(of pulse: Pulse, in trace: PulseTrace) {
        self.pulse = pulse
        self.trace = trace
    }

    func rendered(as format: PulseFormat) -> String {
        switch format {
        case .json: String(decoding: json.encoded(), as: UTF8.self) + "\n"
        case .csv: csv
        case .text: text
        }
    }

    var json: JSON {
        [
            "channel": pulse.channel.map { .text($0.rawValue) } ?? .null,
            "beats": .list(pulse.beats.map { .real($0.to(10_000)) }),
            "windows": .list(pulse.windows.map(\.json)),
        ]
    }

    /// Windows, then beats, then intervals, each with the columns that apply.
    var csv: String {
        var lines = ["kind,start,end,value,unit,reliable,quality"]
        for window in pulse.windows {
            let rate = window.bpm.map { "\($0.to(100))" } ?? ""
            lines.append(
                "heartRate,\(window.start.to(10_000)),\(window.end.to(10_000)),\(rate),count/min,"
                    + "\(window.reliable),\(window.quality.to(1_000))")
        }
        for beat in pulse.beats { lines.append("beat,\(beat.to(10_000)),\(beat.to(10_000)),,,,") }
        for interval in pulse.intervals {
            lines.append(
                "rrInterval,\(interval.start.to(10_000)),\(interval.end.to(10_000)),"
                    + "\((interval.length * 1000).to(10)),ms,,")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    var text: String {
        let length = (trace.times.last ?? 0) - (trace.times.first ?? 0)
        let channel = pulse.channel.map { "channel \($0.rawValue)" } ?? "no channel with a signal"
        var lines = [
            "\(trace.times.count) frames over \(seconds(length)), \(channel), \(pulse.beats.count) beats"
        ]
        lines += pulse.windows.map(\.line)
        let reliable = pulse.windows.filter(\.reliable)
        lines.append("reliable: \(reliable.count) of \(pulse.windows.count) windows")
        return lines.joined(separator: "\n") + "\n"
    }
}

extension Pulse.Window {
    fileprivate var json: JSON {
        [
            "start": .real(start.to(10_000)), "end": .real(end.to(10_000)),
            "bpm": bpm.map { .real($0.to(100)) } ?? .null, "reliable": .boolean(reliable),
            "quality": .real(quality.to(1_000)),
        ]
    }

    /// The line for people, with a rate only if it is reliable.
    var line: String {
        let head = padded("\(oneDecimal(start)) to \(oneDecimal(end)) s", to: 18, isRight: true)
        let grade = "quality \(whole(quality * 100)) %"
        guard let bpm else { return "\(head)  no pulse, \(grade)" }
        return reliable
            ? "\(head)  \(oneDecimal(bpm)) per minute, \(grade)"
            : "\(head)  no reliable heart rate (perhaps \(oneDecimal(bpm))), \(grade)"
    }
}

extension Double {
    /// Rounded to a number of steps per whole, such as 100 for two decimals.
    fileprivate func to(_ steps: Double) -> Double { (self * steps).rounded() / steps }
}
