import Platform
import SessionPorts
import Signals
import StudyModel
import StudyTesting
import Synchronization
import Testing

extension SourceReport {
    fileprivate var isTold: Bool { if case .told = self { true } else { false } }
}

/// All that a source reported.
final class ReportLog: Sendable {
    private let stored = Mutex<[SourceReport]>([])

    var reports: [SourceReport] { stored.withLock { $0 } }

    func append(_ report: SourceReport) { stored.withLock { $0.append(report) } }
}

/// What comes, one after the other, for whoever waits.
struct Queue<Element: Sendable>: Sendable {
    private let stream: AsyncStream<Element>
    init(_ stream: AsyncStream<Element>) { self.stream = stream }

    func next() async -> Element? {
        var iterator = stream.makeAsyncIterator()
        return await iterator.next()
    }
}

@Suite(
    .serialized,
    .enabled(if: FakeBlueZ.isMissing == nil, "Debian's dbus and python3-dbusmock are not on this machine"),
    .timeLimit(.minutes(30)))
struct BluetoothSourceTests {
    /// Runs a source on a bus, checks the laws of sources, and hands what it reports to `body`; the clock is the test's.
    private func listen(
        to strap: BluetoothStrap = .named("Fake H10"), on bus: String, clock: ManualClock = ManualClock(),
        hearing isHeard: @escaping @Sendable (SourceReport) -> Bool = { !$0.isTold },
        _ body: @escaping @Sendable (Queue<SourceReport>, ManualClock) async -> Void
    ) async -> SourceFailure? {
        let (reports, sink) = AsyncStream.makeStream(of: SourceReport.self)
        let log = ReportLog()
        defer { #expect(SampleSourceTrace(of: log.reports).brokenLaws == []) }
        return await withTaskGroup(of: SourceFailure?.self) { group in
            group.addTask {
                do throws(SourceFailure) {
                    try await BluetoothSource(strap, bus: bus)
                        .run(
                            on: clock, circumstances: { Circumstances() },
                            report: { report in
                                log.append(report)
                                if isHeard(report) { sink.yield(report) }
                            })
                    return nil
                } catch {
                    sink.finish()
                    return error
                }
            }
            await body(Queue(reports), clock)
            group.cancelAll()
            return await group.next() ?? nil
        }
    }

    @Test func `hears a strap over a bus: equal packets, several intervals, contact, loss and return`()
        async throws
    {
        let bluez = try #require(FakeBlueZ())
        defer { bluez.stop() }
        let failure = await listen(on: bluez.address) { reports, clock in
            #expect(await reports.next() == .live)
            for packet in ["0648", "0648", "16480104ff0300020001", "0448"] { bluez.tell("send " + packet) }
            var samples: [HeartRateSample] = []
            for _ in 0..<4 {
                if let sample = await reports.next()?.heart { samples.append(sample.value) }
            }
            #expect(samples.map(\.rate) == [72, 72, 72, 72])
            #expect(samples.map(\.sensorContact) == [true, true, true, false])
            #expect(samples.map(\.rrIntervals) == [[], [], [1025, 1023, 512, 256].map { $0 / 1024 }, []])
            bluez.tell("drop")
            #expect(await reports.next() == .lost("the link to the strap was lost"))
            bluez.tell("return")
            let lines = Queue(bluez.lines)
            while let line = await lines.next(), !line.contains("return") {}
            clock.advance(to: await clock.nextSleep())
            #expect(await reports.next() == .live)
            bluez.tell("send 0650")
            if let sample = await reports.next()?.heart { #expect(sample.value.rate == 80) }
        }
        #expect(failure == nil)
    }

    @Test func `hears where a strap is worn, and how its battery falls`() async throws {
        let bluez = try #require(FakeBlueZ())
        defer { bluez.stop() }
        let failure = await listen(on: bluez.address, hearing: \.isTold) { reports, _ in
            guard case .told(var known)? = await reports.next() else {
                Issue.record("the strap's name is not told")
                return
            }
            #expect(known.device != nil && known.identifier != nil && known.sensorLocation == nil)
            known.sensorLocation = "chest"
            #expect(await reports.next() == .told(known))
            known.battery = 87
            #expect(await reports.next() == .told(known))
            bluez.tell("battery 12")
            known.battery = 12
            #expect(await reports.next() == .told(known))
        }
        #expect(failure == nil)
    }

    @Test func `a strap that a killed program left sending is told to end that, unless somebody listens`()
        async throws
    {
        let bluez = try #require(FakeBlueZ(["--measure", "--left-on"]))
        defer { bluez.stop() }
        #expect(try await StrapScan(bus: bluez.address).endMeasurements() == ["Fake H10 1"])
        bluez.tell("listen")
        var requests: [String] = []
        for await line in bluez.lines {
            guard line != "listening" else { break }
            if line.hasPrefix("called WriteValue") { requests.append(String(line.suffix(4))) }
        }
        #expect(requests == ["0300", "0301", "0302", "0303"])
        #expect(try await StrapScan(bus: bluez.address).endMeasurements() == [])
    }

    @Test func `what is in progress is asked for again`() async throws {
        let bluez = try #require(FakeBlueZ(["--in-progress", "1"]))
        defer { bluez.stop() }
        let failure = await listen(on: bluez.address) { reports, clock in
            let first = await reports.next()
            #expect(first == .lost("the strap cannot be connected: 'Operation already in progress'"))
            clock.advance(to: await clock.nextSleep())
            #expect(await reports.next() == .live)
        }
        #expect(failure == nil)
    }

    @Test(arguments: [
        ("--no-adapter", "this machine has no Bluetooth adapter"),
        ("--unpowered", "the Bluetooth adapter is switched off"),
        ("--no-bluez", "bluetoothd is not running"),
    ])
    func `says what is missing`(option: String, words: String) async throws {
        let bluez = try #require(FakeBlueZ([option]))
        defer { bluez.stop() }
        let failure = await listen(on: bluez.address) { reports, _ in
            guard case .lost(let reason)? = await reports.next() else {
                Issue.record("it is not lost")
                return
            }
            #expect(reason.description.hasPrefix(words))
        }
        #expect(failure == nil)
    }

    @Test func `an adapter that is switched on later serves`() async throws {
        let bluez = try #require(FakeBlueZ(["--unpowered"]))
        defer { bluez.stop() }
        _ = await listen(on: bluez.address) { reports, _ in
            _ = await reports.next()
            bluez.tell("on")
            #expect(await reports.next() == .live)
        }
    }

    @Test func `without a bus there is an error that says so`() async {
        let failure = await listen(on: "unix:path=/nonexistent/bus") { reports, _ in
            #expect(await reports.next() == nil)
        }
        #expect(failure?.description.contains("the system's bus (D-Bus) cannot be reached") == true)
        #expect(failure?.isBadData == false)
    }

    @Test func `a scan lists straps with signal, battery and where they are worn`() async throws {
        let bluez = try #require(FakeBlueZ(["--straps", "2", "--hidden"]))
        defer { bluez.stop() }
        let straps = try await StrapScan(bus: bluez.address).straps(listening: .milliseconds(300))
        #expect(straps.map(\.name) == ["Fake H10 1", "Fake H10 2"])
        #expect(straps.map(\.signal) == [-60, -61])
        #expect(straps.map(\.battery) == [87, 86])
        #expect(straps.map(\.location) == ["chest", "chest"])
    }
}
