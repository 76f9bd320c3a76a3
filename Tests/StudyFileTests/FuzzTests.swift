import StudyFile
import StudyTesting
import Testing

@Suite struct FuzzTests {
    /// Thousands of damaged files: each is read to the end, and each without a study says why.
    @Test(arguments: 0..<8 as Range<UInt64>)
    func `no bytes whatever stop the parser`(seed: UInt64) {
        var random = Numbers(state: seed)
        let originals = [Array(completeStudy.utf8), Array(sampleCatalogue.utf8)]
        for _ in 0..<300 {
            var bytes = originals[random.below(originals.count)]
            for _ in 0...random.below(4) { mutate(&bytes, &random) }
            let asStudy = ParsedStudy(bytes, named: "study.yaml", library: .sample)
            #expect((asStudy.study == nil) == asStudy.diagnostics.contains { $0.severity == .error })
            let asCatalogue = catalogue(bytes)
            for diagnostic in asStudy.diagnostics + asCatalogue.diagnostics {
                #expect(diagnostic.range.start <= diagnostic.range.end && diagnostic.range.start.line >= 1)
            }
            #expect(asStudy.diagnostics.rendered(isColoured: false).isEmpty == asStudy.diagnostics.isEmpty)
        }
    }

    @Test func `every beginning of a study is read`() {
        let bytes = Array(completeStudy.utf8)
        for count in stride(from: 0, to: bytes.count, by: 5) {
            #expect(ParsedStudy(Array(bytes[..<count]), named: "study.yaml", library: .sample).study == nil)
        }
    }

    private func catalogue(_ bytes: [UInt8]) -> ParsedStudy {
        let library = Library(text: { _ in .success(bytes) }, media: { _ in nil })
        return ParsedStudy(
            Array(study("- {type: instruction, identifier: a}", head: "stimuli: {s: {catalogue: c}}").utf8),
            named: "study.yaml", library: library)
    }

    private func mutate(_ bytes: inout [UInt8], _ random: inout Numbers) {
        guard !bytes.isEmpty else { return }
        let place = random.below(bytes.count)
        let other = random.below(bytes.count)
        switch random.below(6) {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: place)
        case 2: bytes.removeSubrange(min(place, other)..<min(max(place, other), min(place, other) + 40))
        case 3:
            bytes.insert(
                contentsOf: bytes[min(place, other)..<min(max(place, other), min(place, other) + 60)],
                at: place)
        case 4:
            let pieces = [
                "\"", "'", "[", "]", "{", "}", ": ", "- ", "\n", "\t", "&a ", "*a", "<<: ", "|", "? ", "!!x ",
            ]
            bytes.insert(contentsOf: pieces[random.below(pieces.count)].utf8, at: place)
        default:
            let words = [
                "-1", "nan s", "1e999", "9999999999999999999999", "0x10", "null", "~", "end", "[]", "{}",
                "''",
            ]
            bytes.replaceSubrange(
                place..<min(place + 3, bytes.count), with: words[random.below(words.count)].utf8)
        }
    }
}

/// SplitMix64, for damage that can be made again from its seed.
private struct Numbers {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }
}
