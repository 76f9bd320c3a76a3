package import Physiology
import Platform
import Recordings
package import SessionPorts
package import StudyModel

/// What a run knows when it opens a source.
package struct SourceSetting<Random: RandomNumberGenerator & Sendable>: Sendable {
    /// The signals that recorders want; empty if only the heart rate is watched.
    package var signals: Set<Signal>
    /// The recorders that listen to it.
    package var recorders: [RecorderConfiguration] = []
    /// The person whose heart is simulated; `nil` for a heart exactly as configured.
    package var person: SimulatedPerson?
    /// The generator for a simulated source.
    package var random: Random
    /// Whether the run's time stands still while something is read.
    package var isVirtual: Bool
    /// A token for servers that need one.
    package var token: String?
    /// Takes remarks for the end of the run.
    package var remarks: SourceRemarks

    package init(
        signals: Set<Signal>, random: Random, isVirtual: Bool, token: String?, remarks: SourceRemarks
    ) {
        self.signals = signals
        self.random = random
        self.isVirtual = isVirtual
        self.token = token
        self.remarks = remarks
    }
}

extension SourceConfiguration {
    /// Makes the source that yields the samples.
    ///
    /// - Throws: an error for input that cannot be read, or a `SourceFailure` that says what is missing on this
    ///   machine.
    package func open<Random>(_ setting: SourceSetting<Random>) throws -> any SampleSource {
        switch self {
        case .simulated(let heart):
            return SimulatedHeartSource(
                heart, random: setting.random, signals: setting.signals, person: setting.person)
        case .replay(let file):
            let recording = try ReplayedRecording(
                contentsOf: file, setting.signals, WantedWaves(setting.recorders))
            if let damage = recording.damage { setting.remarks.add(["broken: " + damage], of: file) }
            return ReplaySource(recording)
        case .bluetooth(let strap):
            try BluetoothSource.check()
            return BluetoothSource(strap, signals: setting.signals, remarks: setting.remarks)
        case .poll(let server):
            return try PollSource(
                server, token: setting.token, signals: setting.signals, remarks: setting.remarks)
        case .push(let origin):
            try PushSource.check(origin)
            return try PushSource(
                origin, token: setting.token, signals: setting.signals, remarks: setting.remarks)
        case .lsl(let stream): return try LabStreamSource(stream, signals: setting.signals)
        case .camera(.file(let path)):
            try CameraSource.check(videoAt: path)
            return CameraSource(.file(path), isVirtual: setting.isVirtual)
        case .camera(.device(let path, let settings)):
            // A camera that is not there yet may be plugged in; what its driver refuses is refused at once.
            _ = try CameraDriver.asking(path) { (driver) throws(SourceFailure) in try driver.apply(settings) }
            return CameraSource(.camera(path, settings), isVirtual: false)
        case .control(let device):
            try ControlSource.check(device)
            return ControlSource(device)
        }
    }

    /// Why such a source cannot be used on this machine; `nil` if it can.
    package func problem() async -> String? {
        switch self {
        case .bluetooth:
            do throws(SourceFailure) { return await (try StrapScan()).adapterProblem() } catch {
                return error.description
            }
        case .poll, .push(.events): return HTTPClient.problem
        case .lsl: return LabStreamSource.problem
        case .simulated, .replay, .camera, .control, .push(.standardInput), .push(.socket): return nil
        }
    }
}
