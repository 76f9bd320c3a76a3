import Glibc
import Platform
import Results
import SessionPorts
import StudyModel
import StudySession
import StudyTesting
import Testing

@testable import Signals

/// A device's file from which a run reads, here a pipe with a name.
@Suite struct ControlSourceTests {
    let folder = TemporaryFolder()

    private func pipe() throws -> (path: String, descriptor: Int32) {
        let path = folder.path + "/midi"
        let made = unsafe mkfifo(path, 0o600)
        try #require(made == 0)
        let descriptor = unsafe open(path, O_RDWR | O_NONBLOCK)
        try #require(descriptor >= 0)
        return (path, descriptor)
    }

    private func write(_ bytes: [UInt8], to descriptor: Int32) {
        let count = unsafe Glibc.write(descriptor, bytes, bytes.count)
        #expect(count == bytes.count)
    }

    @Test func `keeps the laws of a source`() async {
        // A device that tells three movements, goes away and is there again at the next look.
        let path = folder.path + "/midi"
        #expect(writeFile([0xB0, 1, 0, 1, 64, 1, 127], to: path))
        #expect(await checkSampleSourceContract(ControlSource(ControlDevice(.midi, at: path))) == [])
    }

    @Test func `tells each movement, and that the device was taken away`() async throws {
        let (path, descriptor) = try pipe()
        write([0xB0, 1, 0, 1, 64, 0x90, 1, 1, 0xB0, 1, 127], to: descriptor)
        let (reports, sink) = AsyncStream.makeStream(of: SourceReport.self)
        let found = await RunLoop.with { loop in
            let clock = loop.clock(.realTime(speed: 1))
            return await withTaskGroup(of: [SourceReport].self) { group in
                group.addTask {
                    do throws(SourceFailure) {
                        try await ControlSource(ControlDevice(.midi, at: path)).run(
                            on: clock, circumstances: { Circumstances() }, report: { sink.yield($0) })
                    } catch { sink.yield(.lost(SourceProblem(error.description))) }
                    return []
                }
                group.addTask {
                    var all: [SourceReport] = []
                    for await report in reports {
                        all.append(report)
                        if case .moved = report, all.count == 4 {
                            _ = unsafe unlink(path)
                            close(descriptor)
                        }
                        if case .lost = report { break }
                    }
                    return all
                }
                var all: [SourceReport] = []
                for await part in group where !part.isEmpty {
                    all = part
                    group.cancelAll()
                }
                return all
            }
        }
        let shares = found.compactMap { report -> Double? in
            if case .moved(let position) = report { position.value.horizontal } else { nil }
        }
        #expect(found.first == .live)
        #expect(shares == [0, 64.0 / 127, 1])
        #expect(found.last == .lost(SourceProblem("'\(path)' was taken away")))
    }

    @Test func `says before a run that a device is missing, or may not be read`() {
        let missing = ControlDevice(.joystick, at: folder.path + "/event9")
        #expect(
            throws: SourceFailure(
                "there is no device '\(missing.path)': plug it in, and see 'entrain sources'")
        ) {
            try ControlSource.check(missing)
        }
    }

    @Test func `lists what the system knows, joysticks first`() throws {
        let files = [
            "sys/class/input/event0/device/name": "AT Keyboard\n",
            "sys/class/input/event0/device/capabilities/abs": "0\n",
            "sys/class/input/event12/device/name": "Thrustmaster T.16000M\n",
            "sys/class/input/event12/device/capabilities/abs": "100000000 3003f\n",
            "sys/class/input/event3/device/name": "Pad\n",
            "sys/class/input/event3/device/capabilities/abs": "3\n",
            "sys/class/sound/midiC1D0/device/id": "nanoKONTROL2\n", "sys/class/sound/pcmC1D0p/dev": "1\n",
        ]
        for (path, text) in files {
            try Folder.make(folder.path + "/" + path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
            #expect(writeFile(Array(text.utf8), to: folder.path + "/" + path))
        }
        #expect(
            ConnectedControl.all(under: folder.path) == [
                ConnectedControl(spec: "joystick:/dev/input/event3", name: "Pad"),
                ConnectedControl(spec: "joystick:/dev/input/event12", name: "Thrustmaster T.16000M"),
                ConnectedControl(spec: "midi:/dev/snd/midiC1D0", name: "nanoKONTROL2"),
            ])
        #expect(ConnectedControl.all(under: folder.path + "/nowhere") == [])
    }
}
