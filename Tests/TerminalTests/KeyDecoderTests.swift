import StudyTesting
import Testing

@testable import Terminal

@Suite struct KeyDecoderTests {
    static let sequences: [(String, [Key])] = [
        ("aé日👍", [.character("a"), .character("é"), .character("日"), .character("👍")]),
        ("\r\n\t\u{8}\u{7F}", [.return, .return, .tab, .backspace, .backspace]),
        ("\u{3}\u{1A}\u{15}", [.control("c"), .control("z"), .control("u")]),
        ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D\u{1B}OA\u{1B}[1;5D", [.up, .down, .right, .left, .up, .left]),
        (
            "\u{1B}[H\u{1B}[F\u{1B}[1~\u{1B}[4~\u{1B}[5~\u{1B}[6~\u{1B}[3~\u{1B}[Z",
            [
                .home, .end, .home, .end, .pageUp, .pageDown, .delete, .backTab,
            ]
        ),
        ("\u{1B}sx", [.alt("s"), .character("x")]),
        (
            "\u{1B}[200~two\nlines \u{1B}[31mred\u{7}\u{1B}[201~z",
            [.paste("two\nlines [31mred"), .character("z")]
        ),
        ("\u{1B}[200~\u{1B}[201~", [.paste("")]),
        ("\u{1B}[?1;2c\u{1B}[99~x", [.character("x")]),
        ("\u{1B}[31\u{7}x", [.control("g"), .character("x")]),
        ("\u{9B}\u{202E}x", [.character("x")]),
        (
            "\u{1B}[<0;12;5M\u{1B}[<0;12;5m\u{1B}[<32;13;5M\u{1B}[<2;1;1M\u{1B}[<0;0;5M\u{1B}[<35;9;9M\u{1B}[<0;5M\u{1B}[<64;1;1M\u{1B}[<65;1;1Mx",
            [
                .pointer(column: 11, row: 4), .pointer(column: 12, row: 4), .wheel(-3), .wheel(3),
                .character("x"),
            ]
        ),
    ]

    @Test(arguments: sequences)
    func `keys are the same however the bytes are split`(text: String, keys: [Key]) {
        let bytes = Array(text.utf8)
        for cut in bytes.indices {
            var decoder = KeyDecoder()
            #expect(
                (decoder.decode(Array(bytes[..<cut])) + decoder.decode(Array(bytes[cut...]))).map(\.key)
                    == keys, "\(cut)")
            #expect(decoder.patience == nil)
        }
        var decoder = KeyDecoder()
        #expect(bytes.flatMap { decoder.decode([$0]) }.map(\.key) == keys)
    }

    @Test func `Escape alone is a key after a short silence`() {
        var decoder = KeyDecoder()
        #expect(decoder.decode([0x1B]) == [])
        #expect(decoder.patience == 50)
        #expect(decoder.giveUp().map(\.key) == [.escape])
        #expect(decoder.patience == nil)
        #expect(decoder.decode([0x61]).map(\.key) == [.character("a")])
    }

    @Test(
        arguments: [
            [0xFF], [0xC3, 0x28], [0xE6, 0x97], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
        ] as [[UInt8]])
    func `bytes that are no character are no key`(bytes: [UInt8]) {
        var decoder = KeyDecoder()
        let keys = (decoder.decode(bytes) + decoder.giveUp() + decoder.decode([0x61])).map(\.key)
        #expect(keys.last == .character("a"))
        #expect(keys.allSatisfy { $0 == .character("a") || $0 == .character("(") })
    }

    @Test func `a paste without an end is a paste after a silence`() {
        var decoder = KeyDecoder()
        #expect(decoder.decode(Array("\u{1B}[200~hello".utf8)) == [])
        #expect(decoder.patience == 1_000)
        #expect(decoder.giveUp().map(\.key) == [.paste("hello")])
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `no bytes trap, and none is kept for ever`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var decoder = KeyDecoder()
        for _ in 0..<60 {
            let start: [UInt8] = Bool.random(using: &random) ? [0x1B, 0x5B] : []
            let count = Int.random(in: 0...12, using: &random)
            _ = decoder.decode(start + (0..<count).map { _ in .random(in: 0...255, using: &random) })
            if Int.random(in: 0..<4, using: &random) == 0 { _ = decoder.giveUp() }
        }
        _ = decoder.giveUp()
        #expect(decoder.patience == nil)
        #expect(decoder.decode([0x61]).map(\.key) == [.character("a")])
    }
}
