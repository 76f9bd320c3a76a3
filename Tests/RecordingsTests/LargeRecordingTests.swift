import Glibc
import Results
import SessionPorts
import StudyModel
import StudyTesting
import Testing

@testable import Recordings

/// A folder that is removed with what is in it.
private final class Scratch {
    let path: String

    init() throws {
        path = "/tmp/entrain-recordings-\(UInt64.random(in: 0 ... .max))"
        try #require(unsafe mkdir(path, 0o700) == 0)
    }

    func write(_ text: String, _ name: String) throws -> String {
        let file = path + "/" + name
        let lines = try #require(LineFile(file))
        lines.write(Array(text.utf8))
        lines.finish()
        return file
    }

    deinit {
        for name in ["long.csv", "long.ndjson", "out.ndjson", "mixed.csv"] {
            _ = unsafe unlink(path + "/" + name)
        }
        _ = unsafe rmdir(path)
    }
}

private func readings(of path: String) throws -> (
    readings: [RecordedReading], reading: HeartRateRecording.Reading
) {
    var readings: [RecordedReading] = []
    let reading = try RecordingFile(path: path).read { readings.append($0) }
    return (readings, reading)
}

@Suite struct LargeRecordingTests {
    /// Longer than two blocks, with a cell over two lines where the first block ends.
    @Test func `a long table is read in blocks as it is read at once`() throws {
        let scratch = try Scratch()
        var text = "time;note;hr;rr\n"
        var count = 0
        while text.utf8.count < 2 * RecordingFile.blockSize + 1000 {
            text +=
                "\(count),5;\"several\nlines; \"\"of\"\" text \(count)\";\(60 + count % 40);\(976 + count % 49)\n"
            count += 1
        }
        let (readings, reading) = try readings(of: try scratch.write(text + "x;;70;\n", "long.csv"))
        #expect(readings.count == count)
        #expect(readings.indices.allSatisfy { readings[$0].time == Double($0) + 0.5 })
        #expect(readings.indices.allSatisfy { readings[$0].place == 2 + 2 * $0 })
        #expect(readings.indices.allSatisfy { readings[$0].sample.rate == Double(60 + $0 % 40) })
        #expect(
            readings.indices.allSatisfy {
                abs((readings[$0].sample.rrIntervals.first ?? 0) - Double(976 + $0 % 49) / 1000) < 1e-12
            })
        #expect(reading.skipped.map(\.firstPlace) == ["line \(2 + 2 * count)"])
        #expect(reading.assumptions.contains("intervals in ms (by their size)"))
    }

    @Test func `a long log is read in blocks`() throws {
        let scratch = try Scratch()
        var text =
            "{\"configuration\":{\"identifier\":\"heartRate\"},\"key\":{\"ordinal\":1},\"source\":\"heartRate\"}\n"
        var count = 1
        while text.utf8.count < 2 * RecordingFile.blockSize + 1000 {
            text +=
                count % 7 == 3
                ? "{\"lost\":\"out of range\",\"t\":\(count)000000000}\n"
                : "{\"a\":\(count)100000000,\"bpm\":\(60 + count % 40).0,\"rr\":[0.9],\"t\":\(count)000000000}\n"
            count += 1
        }
        let (readings, reading) = try readings(of: try scratch.write(text, "long.ndjson"))
        #expect(readings.count == count - 1 - (count + 3) / 7)
        #expect(readings.last?.time == Double((count - 1) % 7 == 3 ? count - 2 : count - 1))
        #expect(readings.allSatisfy { $0.sample.rate == Double(60 + Int($0.time) % 40) })
        #expect(reading.assumptions.first == "a recorder's log of Entrain")
    }

    @Test func `an export is in order of time, however the recording was`() throws {
        let scratch = try Scratch()
        let count = 300_000
        let rows = (0..<count).map { index in
            // Two devices one after the other, as in Apple's exports.
            let time = index < count / 2 ? 2 * index : 2 * (index - count / 2) + 1
            return "\(1_700_000_000 + time),\(60 + time % 100)"
        }
        let source = try scratch.write("time,hr\n" + rows.joined(separator: "\n") + "\n", "mixed.csv")
        let output = scratch.path + "/out.ndjson"
        let export = try RecordingExport(to: output)
        let digest = try RecordingDigest(of: source, into: export)
        try export.finish()
        #expect(digest.count == count)
        #expect(digest.reordered == count / 2 - 1)
        #expect((digest.start, digest.end) == (1_700_000_000, 1_700_000_000 + Double(count - 1)))
        let written = try readings(of: output).readings
        #expect(written.count == count)
        #expect(written.indices.allSatisfy { written[$0].time == 1_700_000_000 + Double($0) })
        #expect(written.allSatisfy { $0.sample.rate == Double(60 + (Int($0.time) - 1_700_000_000) % 100) })
        #expect(unsafe access(output + ".part", F_OK) != 0)
        #expect(throws: RecordingExport.Failure.exists(output)) { try RecordingExport(to: output) }
    }

    @Test func `an export keeps all that a sample has`() throws {
        let scratch = try Scratch()
        let source = try scratch.write(
            "time,hr,rr,contact,quality\n0,60,980 990,true,0.5\n1.5,-1,,,\n2.25,,985,,\n", "mixed.csv")
        let output = scratch.path + "/out.ndjson"
        let export = try RecordingExport(to: output)
        _ = try RecordingDigest(of: source, into: export)
        try export.finish()
        #expect(
            try HeartRateRecording(contentsOf: output).entries
                == HeartRateRecording(contentsOf: source).entries)
    }
}
