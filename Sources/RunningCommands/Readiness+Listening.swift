import MonitorClient
import Platform
import SessionPorts
import Signals
import StudyModel
import StudySession
import Synchronization
import TextFormat

extension Readiness {
    /// What came of a source.
    struct SourceOutcome: Sendable {
        var readings = 0
        var last: Double?
        var unit = "per minute"
        var hasIntervals = false
        var hasContact: Bool?
        var battery: Int?
        var loudest: Double?
        /// The samples of waveforms, with the names of their channels, by what they measure.
        var waves: [String: (channels: String, count: Int)] = [:]
        var problem: String?
        var wasLive = false
        /// How often a control was moved.
        var movements = 0

        mutating func take(_ report: SourceReport) {
            switch report {
            case .measured(let sample):
                readings += 1
                switch sample.value {
                case .heart(let heart):
                    last = heart.rate ?? last
                    hasIntervals = hasIntervals || !heart.rrIntervals.isEmpty
                    hasContact = heart.sensorContact ?? hasContact
                case .number(let value, let signal):
                    if signal.form == .sound { loudest = max(loudest ?? value, value) }
                    (last, unit) = (value, signal.form == .sound ? "dB" : signal.unit ?? "")
                case .wave(let block):
                    let names = block.layout.channels.map(\.name).joined(separator: ", ")
                    waves[block.signal.quantity, default: (names, 0)].count += block.instants.count
                case .picture, .rating, .tap, .shown: break
                }
            case .lost(let why): problem = why.description
            case .told(let information): battery = information.battery ?? battery
            case .live: (problem, wasLive) = (nil, true)
            case .moved: movements += 1
            case .quality, .flooded: break
            }
        }

        /// Of a control, which says nothing as long as nobody moves it.
        func verdict(ofControlIn seconds: Double, isRequired: Bool) -> (Finding.State, String) {
            if let problem { return (isRequired ? .stop : .look, problem) }
            let moved = "\(counted(movements, "movement")) in \(plainNumber(seconds)) s"
            return wasLive ? (.ok, "there, \(moved)") : (isRequired ? .stop : .look, "not there, \(moved)")
        }

        func verdict(
            in seconds: Double, isRequired: Bool, wantsIntervals: Bool
        ) -> (Finding.State, String) {
            guard readings > 0 else {
                return (
                    isRequired ? .stop : .look,
                    "nothing in \(plainNumber(seconds)) s" + (problem.map { ": \($0)" } ?? "")
                )
            }
            var said = ["\(counted(readings, "reading")) in \(plainNumber(seconds)) s"]
            var state = Finding.State.ok
            if let loudest {
                said.append("\(whole(loudest)) dB at most")
                if loudest < Readiness.silence {
                    said.append("which is almost silent: is the microphone muted?")
                    state = .look
                }
                return (state, said.joined(separator: ", "))
            }
            said += waves.sorted { $0.key < $1.key }.map { quantity, told in
                "\(quantity) \(printable(told.channels)): \(counted(told.count, "sample"))"
            }
            if let last { said.append("the last \(whole(last)) \(unit)") }
            if let hasContact { said.append(hasContact ? "skin contact" : "no skin contact") }
            if let battery { said.append("battery \(battery) %") }
            if wantsIntervals, !hasIntervals {
                said.append("no intervals between beats, which a recorder wants")
            }
            if let problem { said.append(problem) }
            if problem != nil || hasContact == false || (battery ?? 100) < Readiness.lowBattery
                || wantsIntervals && !hasIntervals
            {
                state = .look
            }
            return (state, said.joined(separator: ", "))
        }
    }

    /// What comes of a source as time passes.
    private final class Listening: Sendable {
        let heard = Mutex(SourceOutcome())
    }

    /// A room with people in it is not quieter than this, dB below full scale.
    private static let silence = -70.0
    /// A lower charge may not last for a session, percent.
    private static let lowBattery = 20

    static func listen(
        to source: any SampleSource, for time: Duration, on clock: RunClock
    ) async -> SourceOutcome {
        let listening = Listening()
        let failure = await source.listen(on: clock, for: time) { report in
            listening.heard.withLock { $0.take(report) }
        }
        var heard = listening.heard.withLock { $0 }
        if let failure { heard.problem = failure.description }
        return heard
    }
}
