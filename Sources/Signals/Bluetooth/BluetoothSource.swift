package import SessionPorts
package import StudyModel

/// A heart-rate strap, through BlueZ.
package struct BluetoothSource: SampleSource {
    private let wanted: BluetoothStrap
    private let address: String?
    private let remarks: SourceRemarks?
    private let signals: Set<Signal>

    /// - Parameters:
    ///   - strap: which strap.
    ///   - signals: what recorders want.
    ///   - address: of the bus; `nil` for the system's.
    ///   - remarks: takes remarks for the end of the run.
    package init(
        _ strap: BluetoothStrap, signals: Set<Signal> = [], bus address: String? = nil,
        remarks: SourceRemarks? = nil
    ) {
        wanted = strap
        self.signals = signals
        self.address = address
        self.remarks = remarks
    }

    /// Checks that there is a bus, so that a run without one does not begin.
    ///
    /// - Throws: `SourceFailure` if libsystemd or the system's bus is missing.
    package static func check(bus address: String? = nil) throws(SourceFailure) {
        try BusConnection(address: address, destination: BlueZObjects.Name.program) { _ in }.stop()
    }

    /// Never returns by itself.
    ///
    /// - Throws: `SourceFailure` if there is no bus, or if it disappears.
    package func run<C: Clock>(
        on clock: C, circumstances: @Sendable () -> Circumstances, report: @Sendable (SourceReport) -> Void
    ) async throws(SourceFailure) where C.Instant == RunInstant {
        guard !Task.isCancelled else { return }
        let (inputs, sink) = AsyncStream.makeStream(of: StrapLink.Input.self)
        let bus = try BusConnection(address: address, destination: BlueZObjects.Name.program) {
            sink.yield(.bus($0))
        }
        let (wanted, signals) = (wanted, signals)
        let failure: SourceFailure? = await withDiscardingTaskGroup { group in
            var link = StrapLink(wanted, signals: signals)
            var failure: SourceFailure?
            sink.yield(.begin)
            listening: for await input in inputs {
                for action in link.take(input, at: clock.now) {
                    guard !Task.isCancelled else { break listening }
                    switch action {
                    case .call(let call): bus.call(call)
                    case .report(let said): report(said)
                    case .wake(let alarm, let instant):
                        group.addTask {
                            do { try await clock.sleep(until: instant, tolerance: nil) } catch { return }
                            sink.yield(.woke(alarm))
                        }
                    case .fail(let reason):
                        failure = reason
                        break listening
                    }
                }
            }
            group.cancelAll()
            for call in link.leave() { bus.call(call) }
            remarks?.add(link.remarks, of: "strap")
            return failure
        }
        bus.stop()
        if let failure { throw failure }
    }
}
