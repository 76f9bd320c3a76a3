package import SessionPorts
package import StudyModel

/// A joystick or a MIDI controller that moves the mark of a rating.
///
/// It is live while its device can be read. If the device is taken away, it is looked for again each second.
package struct ControlSource: SampleSource {
    private let device: ControlDevice
    /// A hand moves a control less often than this.
    private static var allowance: Allowance { Allowance(burst: 5000, rate: 1000) }

    package init(_ device: ControlDevice) { self.device = device }

    /// Checks that the device is there and can be read.
    package static func check(_ device: ControlDevice) throws(SourceFailure) {
        if let problem = ControlReader.problem(at: device.path) { throw SourceFailure(problem) }
    }

    /// Never returns by itself.
    package func run<C: Clock>(
        on clock: C, circumstances: @Sendable () -> Circumstances, report: @Sendable (SourceReport) -> Void
    ) async throws(SourceFailure) where C.Instant == RunInstant {
        var told: String?
        while !Task.isCancelled {
            await read(on: clock, after: &told, report)
            guard !Task.isCancelled, await clock.wait(until: clock.now.advanced(by: .seconds(1))) != nil
            else {
                return
            }
        }
    }

    /// Reads until the device is gone, or the task is cancelled.
    ///
    /// - Parameter told: why the device cannot be read, as it was said when that began.
    private func read<C: Clock>(
        on clock: C, after told: inout String?, _ report: @Sendable (SourceReport) -> Void
    ) async where C.Instant == RunInstant {
        let inlet = Inlet<ControlReader.Event>(Self.allowance, at: clock.now) { event in
            if case .moved = event { 32 } else { nil }
        }
        let reader = ControlReader(device, now: { clock.now }) { inlet.send($0) }
        reader.start()
        defer { reader.stop() }
        while let batch = await inlet.next(on: clock) {
            if let flood = batch.flood { report(.flooded(flood.count, since: flood.since)) }
            for event in batch.elements {
                switch event {
                case .opened:
                    told = nil
                    report(.live)
                case .moved(let position, let instant):
                    report(.moved(Timed(position, at: instant, arrival: max(clock.now, instant))))
                case .lost(let reason):
                    // That it is still away needs no saying.
                    if told == nil { report(.lost(SourceProblem(reason))) }
                    told = told ?? reason
                    return
                }
            }
        }
    }
}
