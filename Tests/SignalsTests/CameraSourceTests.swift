import Glibc
import SessionPorts
import StudyModel
import StudyTesting
import Testing

@testable import Platform
@testable import Signals

private let hasFFmpeg = unsafe system("command -v ffmpeg >/dev/null 2>&1") == 0

@Suite(.enabled(if: hasFFmpeg, "the program ffmpeg is not on this machine"), .timeLimit(.minutes(30)))
struct CameraSourceTests {
    let folder = TemporaryFolder()

    /// A video of a steady finger, lossless and small.
    private func video(seconds: Int) throws -> String {
        let path = "\(folder.path)/finger.mkv"
        let wave = "pow(sin(PI*T*72/60),2)"
        let made = unsafe system(
            "ffmpeg -nostdin -v error -f lavfi -i \"color=c=black:s=32x24:r=30:d=\(seconds),format=gbrp,"
                + "geq=r='190-2*\(wave)+4*random(1)':g='60-4*\(wave)+4*random(2)':b='30-\(wave)+4*random(3)'\" "
                + "-c:v ffv1 \(path)")
        try #require(made == 0)
        return path
    }

    private func source(_ path: String) -> CameraSource { CameraSource(.file(path), isVirtual: true) }

    @Test func `a video keeps the laws of sources`() async throws {
        #expect(await checkSampleSourceContract(source(try video(seconds: 12))) == [])
    }

    @Test func `the same video gives the same reports, and ends once`() async throws {
        let path = try video(seconds: 14)
        let first = await SampleSourceTrace(of: source(path), turns: 300, from: .seconds(3))
        #expect(first == (await SampleSourceTrace(of: source(path), turns: 300, from: .seconds(3))))
        #expect(first.reports.last?.what == .lost("the video has ended"))
        #expect(first.hasReturnedByItself)
        let rates = first.samples.compactMap(\.value.rate)
        #expect(rates.count >= 6)
        #expect(rates.allSatisfy { abs($0 - 72) < 2 })
    }

    @Test func `what is no video is found before the run`() throws {
        let missing = #expect(throws: SourceFailure.self) {
            try CameraSource.check(videoAt: "\(folder.path)/none.mp4")
        }
        #expect(missing?.isBadData == false)
        let path = "\(folder.path)/bad.mp4"
        #expect(writeFile([1, 2, 3], to: path))
        let bad = #expect(throws: SourceFailure.self) { try CameraSource.check(videoAt: path) }
        #expect(bad?.isBadData == true)
        #expect(throws: Never.self) { try CameraSource.check(videoAt: try video(seconds: 1)) }
    }

    @Test func `a report names no folder of the machine`() async {
        let trace = await SampleSourceTrace(of: source("\(folder.path)/none.mp4"), turns: 3)
        #expect(
            trace.reports.map(\.what) == [.lost("'none.mp4' cannot be opened: No such file or directory")])
    }
}

@Suite struct CameraOpeningTests {
    @Test func `a camera that is not there is to be plugged in`() {
        let failure = #expect(throws: SourceFailure.self) {
            _ = try VideoFrames(of: .camera("/dev/no-video"), named: "no-video")
        }
        #expect(failure?.description == "the camera 'no-video' is not there: plug it in")
    }
}

@Suite struct SimulatedFingerTests {
    @Test func `has the beats that the strap tells of`() async {
        let source = SimulatedHeartSource(
            SimulatedSource(contactLoss: 0.2), random: SeededRandom(seed: 4),
            signals: [.heartRate, .pulseWaveform])
        let trace = await SampleSourceTrace(of: source, turns: 120)
        #expect(trace.brokenLaws == [])
        let frames = trace.reports.flatMap { report in
            guard case .measured(let sample) = report.what, let frame = sample.value.picture else {
                return [Timed<PulseFrame>]()
            }
            return [sample.map { _ in frame }]
        }
        #expect((3_300...3_600).contains(frames.count))
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.instant < $1.instant })
        #expect(frames.allSatisfy { $0.instant <= $0.arrival })
        let beats = frames.reduce(0) { $0 + $1.value.beats.count }
        let intervals = trace.samples.reduce(0) { $0 + $1.value.rrIntervals.count }
        #expect(intervals > 60 && abs(beats - intervals) <= 2)
    }
}
