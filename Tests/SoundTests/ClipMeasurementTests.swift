import Glibc
import StudyTesting
import Testing

@testable import Sound

@Suite struct ClipMeasurementTests {
    private let folder = TemporaryFolder()

    /// Ten seconds of a sine of 997 Hz on both sides, whose true peak has this level.
    private func sine(_ level: Double, rate: Int = 48_000) throws -> String {
        let path = "\(folder.path)/sine\(level)-\(rate).wav"
        let writer = try SoundFileWriter(writing: path, .exactWAV, rate: rate, channels: 2)
        let top = pow(10, level / 20)
        try writer.write(
            (0..<rate * 10).flatMap { frame -> [Float] in
                let value = Float(top * sin(2 * .pi * 997 * Double(frame) / Double(rate)))
                return [value, value]
            })
        return path
    }

    @Test(
        .enabled(if: LoudnessMeter.isThere, "libebur128 is not installed"),
        arguments: zip([-23.0, -18, -6], [44_100, 48_000, 96_000]))
    func `a sine on both sides is as loud as its level`(level: Double, rate: Int) throws {
        let measured = try ClipMeasurement(of: sine(level, rate: rate))
        #expect(abs(try #require(measured.loudness) - level) < 0.1)
        #expect(abs(measured.peak - level) < 0.1)
        #expect(measured.length == .seconds(10))
        #expect(measured.sha256.utf8.count == 64)
    }

    @Test func `what is no sound is told by its name`() throws {
        let path = folder.path + "/text.wav"
        #expect(writeFile(Array("no sound".utf8), to: path))
        let failure = #expect(throws: SoundFailure.self) { try ClipMeasurement(of: path) }
        #expect(failure?.description.contains(path) == true)
        #expect(throws: SoundFailure.self) { try ClipMeasurement(of: folder.path + "/absent.wav") }
    }

    @Test func `a file that changes is measured again`() throws {
        let path = try sine(-18)
        let first = try ClipMeasurement(of: path)
        #expect(try ClipMeasurement(of: path) == first)
        let writer = try SoundFileWriter(writing: path, .exactWAV, rate: 48_000, channels: 2)
        try writer.write([Float](repeating: 0.5, count: 96_000))
        writer.flush()
        let second = try ClipMeasurement(of: path)
        #expect(second.length == .seconds(1) && second.sha256 != first.sha256)
    }

    /// A soft sine of 50 Hz in 16 bits has many equal samples at its tops, and a square wave has nothing else.
    @Test(arguments: [("cut", true), ("sine", false), ("soft", false), ("square", false), ("noise", false)])
    func `waves that were cut off before their level was lowered are told`(kind: String, isCut: Bool) {
        var random = SeededRandom(seed: 3)
        var tops = FlatTops()
        let samples = (0..<96_000).flatMap { frame -> [Float] in
            let wave = sin(2 * .pi * (kind == "cut" ? 440 : 50) * Double(frame) / 48_000)
            let level: Double =
                switch kind {
                case "cut": 0.5 * max(-1, min(1, 1.6 * wave))
                case "soft": 0.001 * wave
                case "square": wave < 0 ? -0.5 : 0.5
                case "noise": 0.1 * (Double(random.next() % 2001) / 1000 - 1)
                default: 0.9 * wave
                }
            let value = Float((level * 32_768).rounded() / 32_768)
            return [value, value]
        }
        tops.add(samples)
        #expect(tops.areCut(in: .seconds(2)) == isCut)
    }
}
