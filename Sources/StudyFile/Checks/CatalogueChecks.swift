import StudyModel
import TextFormat

/// Looks for attributes of clips that were probably misspelt, or that have no effect.
struct CatalogueChecks {
    let reading: Reading
    /// The keys of each clip that are attributes.
    let clips: [[Node.Pair]]
    /// The keys of the format.
    let known: [String]

    /// Keys of a step's stimulus, which have no meaning in a catalogue.
    private static let ofSteps = ["fade", "loop", "onset", "start", "draw", "weights"]
    /// Attributes that are commonly used, and that simulated hearts follow.
    private static let usual = ["energy", "tempo"]

    func check() {
        let all = clips.flatMap(\.self)
        let counts = Dictionary(all.map { ($0.key.value, 1) }, uniquingKeysWith: +)
        for pairs in clips {
            for pair in pairs { checkKey(pair, in: pairs, counts) }
        }
        for (_, pairs) in Dictionary(grouping: all, by: \.key.value) { checkValues(pairs) }
    }

    private func checkKey(_ pair: Node.Pair, in pairs: [Node.Pair], _ counts: [String: Int]) {
        let key = pair.key.value
        if Self.ofSteps.contains(key) {
            reading.report(
                .misplacedKey, "'\(key)' does nothing in a catalogue: it belongs to the 'stimulus' of a step",
                at: pair.key.range,
                help: "leave it out here, and write it at the step",
                severity: .warning)
        } else if let meant = meant(by: key, counts) {
            reading.report(
                .attributeName,
                "'\(key.prefix(64))' is an attribute that \(counts[key] == 1 ? "only this clip has" : "few clips have")",
                at: pair.key.range,
                help: meant.lowercased() == key.lowercased()
                    ? .write(meant, "did you mean '\(meant)'?") : Help("did you mean '\(meant)'?"),
                severity: .warning)
        } else if key == "energy" {
            checkEnergy(pair.value)
        }
    }

    /// The key that was probably meant: one of the format's, or one that more clips have.
    private func meant(by key: String, _ counts: [String: Int]) -> String? {
        let own = counts[key] ?? 0
        let isUsual = { (other: String) in
            counts[other].map { $0 > own } ?? known.contains(other) || Self.usual.contains(other)
        }
        let others = Set(counts.keys).union(known).union(Self.usual).subtracting([key]).filter(isUsual)
            .sorted()
        if let twin = others.first(where: { $0.lowercased() == key.lowercased() }) { return twin }
        guard key.count > 4, counts.values.max() ?? 0 > own || clips.count == 1 else { return nil }
        return Suggestion.nearest(to: key, among: others.filter { $0.count > 4 })
    }

    private func checkEnergy(_ node: Node) {
        guard let text = node.scalarText else { return }
        let pointed = text.replacing(",", with: ".")
        let number = DecimalText.number(pointed)
        if let number, pointed == text, (0...1).contains(number) { return }
        let meant = number.flatMap { number -> String? in
            if (0...1).contains(number) { return pointed }
            return 1 < number && number <= 100 ? plainNumber(number / 100) : nil
        }
        reading.report(
            .attributeValue, "an energy is a number from 0 to 1, not '\(text.prefix(40))'", at: node.range,
            help: meant.map { $0 == pointed ? .write($0, "write \($0)") : Help("write \($0)") }
                ?? "write a number from 0 to 1", severity: .warning)
    }

    /// Reports values that differ only in upper and lower case.
    private func checkValues(_ pairs: [Node.Pair]) {
        let texts = pairs.compactMap { pair in
            pair.value.scalarText.map { (text: $0, range: pair.value.range) }
        }
        for (_, alike) in Dictionary(grouping: texts, by: { $0.text.lowercased() }) {
            let counts = Dictionary(alike.map { ($0.text, 1) }, uniquingKeysWith: +)
            guard counts.count > 1,
                let usual = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key
            else { continue }
            let meant = counts.values.max() == counts.values.min() ? counts.keys.max() ?? usual : usual
            for value in alike where value.text != meant {
                reading.report(
                    .attributeValue,
                    "'\(value.text.prefix(40))' is not the same value as '\(meant.prefix(40))' of other clips",
                    at: value.range,
                    help: .write(meant.asValue, "did you mean '\(meant.prefix(40))'?"), severity: .warning)
            }
        }
    }
}

extension Reading {
    /// Compares a clip's beats with its tempo and its length.
    func checkBeats(of clip: Stimulus, at range: SourceRange, tempo place: SourceRange?) {
        guard clip.beats != nil else { return }
        var heard = clip
        heard.attributes["tempo"] = nil
        if let place, let stated = clip.tempo, let counted = heard.tempo {
            // People tap to every second beat, and to beats between the beats.
            let ratio = max(stated / counted, counted / stated)
            if abs(ratio - ratio.rounded()) > 0.04 * ratio {
                report(
                    .attributeValue,
                    "the beats of '\(clip.identifier)' have a tempo of \(plainNumber(counted.rounded())), not \(plainNumber(stated))",
                    at: place, help: "write the tempo of the beats, or mend the beats", severity: .warning)
            }
        }
        if let beyond = clip.duration.flatMap(clip.beatsBeyond) {
            report(.attributeValue, beyond.message, at: range, help: beyond.help, severity: .warning)
        }
    }
}

extension Stimulus {
    /// What is wrong with beats that lie beyond the clip's end; `nil` if none does.
    func beatsBeyond(_ length: Duration) -> (message: String, help: Help)? {
        let seconds = { (time: Duration) in plainNumber((time / .milliseconds(100)).rounded() / 10) }
        switch beats {
        case .positions(let beats)? where beats.last.map { $0 > length } == true:
            return (
                "the last beat is at \(seconds(beats.last ?? .zero)) s, after the clip's end at \(seconds(length)) s",
                "leave out the beats after its end, or mend the length"
            )
        case .steady(_, let first)? where first > length:
            return (
                "the first beat is at \(seconds(first)) s, after the clip's end at \(seconds(length)) s",
                "write where the first beat is heard"
            )
        default: return nil
        }
    }
}
