import StudyEngine
import StudyModel
import TextFormat

extension ProtocolPage {
    /// A task: what participants see besides the steps, its picture, and its steps.
    func html(of shown: ShownTask) -> String {
        let numbers = Dictionary(shown.steps.map { ($0.identifier, $0.number) }) { first, _ in first }
        let pictures = FlowDiagram(shown, in: study.languages.first).html
        let title = Self.html(
            of: [Wording("title", ifAny: shown.task.title)].compactMap(\.self).map { ($0, []) })
        let (own, first) = (shown.steps, tasks.first { $0.task.identifier == shown.task.identifier })
        guard let first, first.arms != shown.arms else {
            return title + HTML.sentences(sentences(of: shown.task)) + pictures
                + own.map { html(of: $0, in: shown, numbers) }.joined()
        }
        // Arms usually differ in one or two steps.
        let different = own.filter { step in !first.steps.contains { $0.isSame(as: step) } }
        return title + HTML.sentences(sentences(of: shown.task)) + pictures
            + HTML.sentences(["Every step that is not listed here is that of task \(first.name)."])
            + different.map { html(of: $0, in: shown, numbers) }.joined()
    }

    private func sentences(of task: Study.Task) -> [String] {
        let display = task.display
        var said = [
            display.heartRate
                ? "Participants see their heart rate." : "Participants do not see their heart rate.",
            display.countdown
                ? "They see the time left in timed steps, unless the step hides it."
                : "They do not see the time left in timed steps.",
            display.progress
                ? "They see how many steps there are, and which one this is."
                : "They do not see how many steps there are.",
        ]
        if task.isAudioRequired { said.append("The task is not done without sound.") }
        if let alarms = task.alarms?.map(\.words), !alarms.isEmpty {
            said.append("Staff who watch the run are alerted to: \(alarms.joined(separator: ", ")).")
        }
        for span in task.recorders {
            said += span.recorder.sentences(
                during: ", from the start of \(span.from) to the end of \(span.to)")
        }
        for music in task.music {
            said.append("Music goes on from the start of \(music.from) to the end of \(music.to).")
            said += music.use.sentences(in: study, of: "The program")
        }
        let recalled = task.recalled.map(\.identifier.text).joined(separator: ", ")
        if !recalled.isEmpty {
            said.append("Its rules and texts use answers of earlier sessions: \(recalled).")
        }
        return said + task.scores.flatMap(\.sentences) + (task.quality.map { [$0.sentence] } ?? [])
    }

    private func html(
        of step: ProtocolStep, depth: Int = 0, in shown: ShownTask, _ numbers: [Identifier: String]
    ) -> String {
        let level = min(6, depth + 4)
        let heading =
            "\(step.number) \(HTML.named(title(of: step), step.identifier.text)): \(HTML.escaped(step.step.facts.name))"
        let said = step.said { variant in
            variant.sentences(in: study) + variant.recorders.flatMap { $0.sentences() }
                + variant.navigation.sentences(visits: shown.plan?.mostVisits(of: variant.identifier) ?? 1) {
                    "\(numbers[$0] ?? "") \($0)"
                }
        }
        let words = step.said(\.wordings)
        let lines = said.map { $0.thing + Self.remark($0.rounds) }
        let within = (step.inner + step.inserted).map { html(of: $0, depth: depth + 1, in: shown, numbers) }
            .joined()
        return "<div class=\"step\"><h\(level)>\(heading)</h\(level)>\n" + HTML.sentences(lines)
            + Self.html(of: words) + within + "</div>\n"
    }

    /// The title that all rounds of a step have in the study's first language.
    func title(of step: ProtocolStep) -> String? {
        step.title(in: study.languages.first)
    }

    /// The remark after content that only some rounds have.
    static func remark(_ rounds: [String]) -> String {
        let names = rounds.distinct(by: \.self)
        guard !names.isEmpty else { return "" }
        let more = names.count > 8 ? " and \(names.count - 8) more" : ""
        return " (In the round: \(names.prefix(8).joined(separator: "; "))\(more).)"
    }

    /// Texts of the study, unchanged and in all of their languages.
    static func html(of wordings: [(thing: Wording, rounds: [String])]) -> String {
        guard !wordings.isEmpty else { return "" }
        let items = wordings.map { wording, rounds in
            "<div><dt>\(HTML.escaped(wording.place + remark(rounds)))</dt>\(html(of: wording.text))</div>"
        }
        return "<dl class=\"words\">\(items.joined(separator: "\n"))</dl>\n"
    }

    private static func html(of text: LocalizedText) -> String {
        switch text {
        // The language of the text is not known.
        case .plain(let text): "<dd lang=\"\" dir=\"auto\">\(HTML.escaped(text))</dd>"
        case .translated(let translations):
            translations.map { translation in
                let tag = HTML.escaped(translation.language.tag)
                // The direction is that of the text; what has a direction of its own does not count.
                return
                    "<dd lang=\"\(tag)\" dir=\"auto\"><span class=\"tag\" lang=\"en\" dir=\"ltr\">\(tag)</span> "
                    + "\(HTML.escaped(translation.text))</dd>"
            }.joined()
        }
    }

    static let style = """
        summary h3 { display: inline; color: var(--ink); } details > div { padding-left: 14px; }
        nav ol { columns: 2 260px; padding-left: 22px; margin: 10px 0; } nav a, nav a:visited { color: var(--strong); }
        h3, h4, h5, h6 { font-size: 16px; margin: 18px 0 4px; overflow-wrap: anywhere; break-after: avoid; }
        .step .step { border-left: 3px solid var(--line); padding-left: 14px; margin-left: 2px; }
        dl.words { display: block; margin: 6px 0 12px; } dl.words > div { margin: 6px 0; break-inside: avoid-page; }
        dl.words dd { border-inline-start: 3px solid var(--fill); padding-inline-start: 10px; margin: 2px 0; white-space: pre-wrap;
          max-width: 46em; }
        .tag { color: var(--soft); font-size: 13px; }
        figure.flow { max-width: 520px; margin: 0; overflow: visible; } main figure.flow > svg { min-width: 0; }
        .frame { fill: none; stroke: var(--soft); stroke-width: 1.2; stroke-dasharray: 5 4; } .tip { fill: var(--soft); }
        .jump { stroke: var(--strong); stroke-width: 1.2; fill: none; }
        .open { font-weight: 600; border-left: 4px solid var(--warm); padding-left: 10px; }
        dl.items { display: block; } dl.items > div { margin: 12px 0; break-inside: avoid-page; }
        dl.items dt { color: var(--ink); font-weight: 600; font-size: 15px; }
        @media print { figure.flow { max-width: 420px; } nav a { text-decoration: none; } }
        """
}

extension HTML {
    /// Sentences, one below the other.
    static func sentences(_ sentences: [String]) -> String {
        guard !sentences.isEmpty else { return "" }
        return "<ul class=\"said\">" + sentences.map { "<li>\(escaped($0))</li>" }.joined(separator: "\n")
            + "</ul>\n"
    }
}

extension AnswerScore {
    /// How it is worked out, one sentence each.
    fileprivate var sentences: [String] {
        var said = [opening]
        if reversals != nil {
            said.append("It is missing if a track has fewer reversals.")
            return said + levelSentences
        }
        if method.detects { return said + detectionSentences + levelSentences }
        let reversed = inputs.filter { $0.reversedFrom != nil }.map(\.question.text)
        if !reversed.isEmpty { said.append("These are reversed first: \(listed(reversed)).") }
        said.append(
            mostMissing == 0
                ? "It is missing if any of these answers is."
                : "At most \(mostMissing) of these answers may be missing"
                    + (replacesMissing ? "; each counts as the mean of the others." : "."))
        return said + levelSentences
    }

    private var detectionSentences: [String] {
        let signal = inputs.first?.counted?.value.words
        let trials =
            signal.map {
                "A trial has a signal if \($0) is right, and is answered as such with \($0); a trial without an answer does not count."
            }
            ?? "A trial has a signal if a key is right, and is answered as such with the right key; without a signal, every key is a false alarm."
        let isRate = method == .dPrime || method == .criterion
        return [trials]
            + (isRate
                ? [
                    "H is (hits + 0.5) / (signals + 1), and F is (false alarms + 0.5) / (trials without a signal + 1) (log-linear correction, Hautus 1995).",
                    "It is missing without a trial of either kind.",
                ] : [])
    }

    private var levelSentences: [String] {
        levels.isEmpty
            ? [] : ["Its levels are \(listed(levels.map { "\($0.name) from \(plainNumber($0.from))" }))."]
    }

    private var opening: String {
        let names = listed(inputs.map(\.question.text))
        if let reversals {
            let tracks = reversals.track.map { "the track \($0)" } ?? "every track"
            return
                "The score \(identifier) is the mean of the values at the last \(reversals.last) reversals of \(tracks) of \(reversals.block)."
        }
        let how: String
        switch method {
        case .sum: how = "the sum of the answers to \(names)"
        case .mean: how = "the mean of the answers to \(names)"
        case .minimum: how = "the lowest of the answers to \(names)"
        case .maximum: how = "the highest of the answers to \(names)"
        case .count:
            let tests = inputs.compactMap { input in
                input.counted.map { "\(input.question) \($0.comparison.words) \($0.value.words)" }
            }
            if inputs.contains(where: \.isRightCounted) {
                how = "the number of right answers to \(names)"
            } else if tests.isEmpty {
                how = "the number of answers to \(names)"
            } else {
                how = "the number of these that hold: \(tests.joined(separator: "; "))"
            }
        case .minutes:
            how =
                "how many minutes lie between the times \(names), the second of which may be on the next day"
        case .hits: how = "the number of hits in \(names): signals that were answered as such"
        case .misses: how = "the number of misses in \(names): signals that were not answered as such"
        case .falseAlarms: how = "the number of false alarms in \(names): answers as if there were a signal"
        case .correctRejections: how = "the number of correct rejections in \(names)"
        case .dPrime: how = "d′ of \(names): z(H) − z(F)"
        case .criterion: how = "the criterion c of \(names): −(z(H) + z(F)) / 2"
        }
        return "The score \(identifier) is \(how)."
    }
}
