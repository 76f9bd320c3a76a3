import Glibc
import Platform
import Results
import SessionPorts
import StudyModel
import StudyTesting
import Testing

@testable import Platform
@testable import Sound

@Suite struct SpeechTests {
    private let folder = TemporaryFolder()

    /// A program that does this, whatever it is asked to say.
    private func voice(_ script: String) -> String {
        let path = folder.path + "/voice"
        #expect(writeFile(Array("#!/bin/sh\n\(script)\n".utf8), to: path))
        #expect(unsafe chmod(path, 0o700) == 0)
        return path
    }

    @Test func `takes the words out of what the voice writes, at the loudness of cues`() throws {
        let path = folder.path + "/said.wav"
        let writer = try SoundFileWriter(writing: path, .wav, rate: 22_050, channels: 1)
        try writer.write([0, 0, 0] + [Float](repeating: 0.5, count: 1000) + [0, 0])
        writer.flush()
        var speech = Speech(by: voice("cat \(path)"))
        let said = speech.samples(of: "Half way there.", in: nil)
        let words = try #require(said)
        #expect(words.rate == 22_050 && words.samples.count == 1000)
        #expect(words.samples.allSatisfy { abs($0 - 0.089) < 0.001 })
        #expect(speech.problem == nil)
    }

    @Test func `a voice that is missing is told once and not looked for again`() {
        var speech = Speech(by: folder.path + "/absent")
        let first = speech.samples(of: "One", in: nil)
        #expect(first == nil)
        #expect(speech.problem?.hasPrefix("apt install") == true)
        let path = voice("touch \(folder.path)/again")
        #expect(unsafe rename(path, folder.path + "/absent") == 0)
        let second = speech.samples(of: "Two", in: nil)
        #expect(second == nil)
        #expect(unsafe access(folder.path + "/again", F_OK) != 0)
    }

    @Test(arguments: ["exec cat /dev/zero", "cat /dev/zero | cat"])
    func `a voice without an end has one budget for all texts`(script: String) {
        var speech = Speech(by: voice(script), patience: 0)
        let first = speech.samples(of: "One", in: nil)
        #expect(first == nil)
        #expect(speech.problem?.hasSuffix("took longer than 0 s") == true)
        let second = speech.samples(of: "Two", in: nil)
        #expect(second == nil)
    }

    @Test(arguments: ["exit 3", "echo nonsense", "printf RIFF"])
    func `a voice that fails speaks the next text perhaps`(script: String) {
        var speech = Speech(by: voice(script))
        let first = speech.samples(of: "One", in: nil)
        #expect(first == nil)
        #expect(speech.problem == nil)
    }

    @Test func `a voice that has spoken and stays is ended`() {
        var speech = Speech(by: voice("exec >&-; kill -STOP $$"), patience: 1)
        let said = speech.samples(of: "One", in: nil)
        #expect(said == nil)
    }

    @Test func `words of any length and shape come whole, and too long ones alone stay unsaid`() throws {
        let path = folder.path + "/said.wav"
        let writer = try SoundFileWriter(writing: path, .wav, rate: 22_050, channels: 1)
        try writer.write([Float](repeating: 0.5, count: 1000))
        writer.flush()
        let heard = folder.path + "/heard"
        var speech = Speech(by: voice("printf '%s|' \"$@\" > \(heard); cat \(path)"), patience: 600)
        for words in ["-v whisper", "<break time=\"9s\"/>", "it's \"$HOME\" `ls`", "été\n日本"] {
            let said = speech.samples(of: words, in: Language("fr"))
            #expect(said != nil)
            let arguments = try FileContents.read(heard, limit: 4096).get()
            #expect(String(decoding: arguments, as: UTF8.self) == "--stdout|-v|fr|--|\(words)|")
        }
        let novel = speech.samples(of: String(repeating: "word ", count: 1 << 16), in: nil)
        #expect(novel == nil && speech.problem == nil)
        let after = speech.samples(of: "Short", in: nil)
        #expect(after != nil)
    }

    @Test func `passes over what stands between the head and the sound`() throws {
        let path = folder.path + "/said.wav"
        let writer = try SoundFileWriter(writing: path, .wav, rate: 22_050, channels: 1)
        try writer.write([Float](repeating: 0.5, count: 1000))
        writer.flush()
        let plain = try FileContents.read(path, limit: 1 << 16).get()
        let filler = Array("FLLR".utf8) + [0xf0, 0x0f, 0, 0] + [UInt8](repeating: 0, count: 0xff0)
        let filled = folder.path + "/filled.wav"
        #expect(writeFile(plain[..<36] + filler + plain[36...], to: filled))
        var speech = Speech(by: voice("cat \(filled)"), patience: 600)
        let said = speech.samples(of: "Half way there.", in: nil)
        #expect(said?.samples.count == 1000 && said?.rate == 22_050)
    }
}
