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
            return IdentifiedSource(ReplaySource(recording), Self.information(ofFile: file))
        case .bluetooth(let strap):
            try BluetoothSource.check()
            return BluetoothSource(strap, signals: setting.signals, remarks: setting.remarks)
        case .poll(let server):
            return IdentifiedSource(
                try PollSource(
                    server, token: setting.token, signals: setting.signals, remarks: setting.remarks),
                SourceInformation(host: Self.host(in: server.url)))
        case .push(let origin):
            try PushSource.check(origin)
            let source = try PushSource(
                origin, token: setting.token, signals: setting.signals, remarks: setting.remarks)
            guard case .events(let url) = origin else { return source }
            return IdentifiedSource(source, SourceInformation(host: Self.host(in: url)))
        case .lsl(let choice): return try LabStreamSource(choice, signals: setting.signals)
        case .camera(.file(let path)):
            try CameraSource.check(videoAt: path)
            return IdentifiedSource(
                CameraSource(.file(path), isVirtual: setting.isVirtual), Self.information(ofFile: path))
        case .camera(.device(let path, let settings)):
            // A camera that is not there yet may be plugged in; what its driver refuses is refused at once.
            let name = try CameraDriver.asking(path) { (driver) throws(SourceFailure) in
                _ = try driver.apply(settings)
                return driver.offer()?.name
            }
            return IdentifiedSource(
                CameraSource(.camera(path, settings), isVirtual: false),
                SourceInformation(device: name ?? nil, identifier: path))
        case .control(let device):
            try ControlSource.check(device)
            return ControlSource(device)
        }
    }

    private static func information(ofFile path: String) -> SourceInformation {
        SourceInformation(identifier: path.split(separator: "/").last.map(String.init))
    }

    /// The host in a web address, such as `example.org` or `[::1]`.
    static func host(in url: String) -> String? {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let authority = rest.prefix { !"/?#".contains($0) }
        let place = authority.lastIndex(of: "@").map { authority[$0...].dropFirst() } ?? authority
        let end = place.hasPrefix("[") ? place.firstIndex(of: "]").map(place.index(after:)) : nil
        let host = place[..<(end ?? place.firstIndex(of: ":") ?? place.endIndex)]
        return host.isEmpty ? nil : String(host)
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

/// A source that first says what it is known to be.
private struct IdentifiedSource: SampleSource {
    private let source: any SampleSource
    private let information: SourceInformation

    init(_ source: any SampleSource, _ information: SourceInformation) {
        (self.source, self.information) = (source, information)
    }

    func run<C: Clock>(
        on clock: C, circumstances: @Sendable () -> Circumstances, report: @Sendable (SourceReport) -> Void
    ) async throws(SourceFailure) where C.Instant == RunInstant {
        guard !Task.isCancelled else { return }
        if !information.isEmpty { report(.told(information)) }
        try await source.run(on: clock, circumstances: circumstances, report: report)
    }
}
