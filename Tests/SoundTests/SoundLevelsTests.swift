import SessionPorts
import Sound
import StudyModel
import StudyTesting
import Testing

@Suite struct SoundLevelsTests {
    @Test func `how loud it is keeps the laws of sources`() async {
        let source = SoundLevels {
            AsyncStream { levels in
                for level in [-60.0, -20, -100] { levels.yield(level) }
                levels.finish()
            }
        }
        #expect(await checkSampleSourceContract(source) == [])
        let trace = await SampleSourceTrace(of: source, turns: 1)
        #expect(trace.measured.map(\.value) == [-60, -20, -100].map { .number($0, of: .audio) })
    }
}
