import StudyEngine
import StudyModel
import TextFormat

extension ProtocolPage {
    /// What a participant does and hears, in a few sentences, and how long each part takes, as a picture.
    var overview: String {
        let said = [visits, consent, music, answers].compactMap(\.self)
        return said.map { "<p>\(HTML.escaped($0))</p>\n" }.joined() + tasks.map(timeLine).joined()
    }

    private var visits: String {
        let longest = tasks.map(\.longest).max() ?? .zero
        let times =
            longest > .zero
            ? "The timed parts of a run take at most \(longest.words); reading and answering come on top."
            : "Nothing is timed but by answers: a run lasts as long as reading and answering take."
        let sessions = study.sessions.count
        let arms =
            study.arms.isEmpty ? "" : " Each is in one of these groups: \(listed(study.arms.map(\.named)))."
        return (sessions > 0 ? "Every participant comes to \(counted(sessions, "session")). " : "") + times
            + arms
    }

    private var consent: String? {
        allSteps.contains { $0.step.consent != nil }
            ? "First they read a document, and agree to it or leave." : nil
    }

    private var music: String {
        let names = clips.map { $0.title ?? $0.identifier.text }.distinct(by: \.self)
        let more = names.count > 6 ? " and \(names.count - 6) more" : ""
        return names.isEmpty
            ? "No clips are played."
            : "These clips may be played: \(more.isEmpty ? listed(names) : names.prefix(6).joined(separator: ", "))\(more)."
    }

    private var answers: String {
        let asked = allSteps.flatMap { step in
            step.said { $0.facts.asked.filter { $0.place != .key }.map(\.question) }.map(\.thing)
        }.distinct(by: \.identifier)
        let titles = asked.compactMap { $0.title?.text(in: study.languages.first) }.distinct(by: \.self)
        let quoted = listed(titles.prefix(3).map { "“\($0)”" })
        let such = titles.isEmpty ? "." : titles.count > 3 ? ", such as \(quoted)." : ": \(quoted)."
        return asked.isEmpty
            ? "Participants are asked nothing." : "They answer \(counted(asked.count, "question"))\(such)"
    }

    /// A part of a bar along the time of a run, in seconds.
    private struct Part {
        var name: String
        var span: ClosedRange<Double>
        /// Whether a clip is played.
        var isPlayed: Bool
    }

    /// A bar along the time of a run: filled where a clip is played, open where none is, and a tick for each step that
    /// lasts as long as the participant takes.
    private func timeLine(of shown: ShownTask) -> String {
        guard let visits = shown.plan?.longestTimes, shown.longest > .zero else { return "" }
        let whole = visits.reduce(0) { $0 + $1.time.seconds }
        let isShort = whole < 180
        let axis = Axis(0...whole, pixels: (16, 424))
        let (parts, pauses) = parts(of: visits, in: shown, least: 8 / (axis.place(1) - axis.place(0)))
        let named = parts.map {
            "“\($0.name)” \(Duration.seconds(($0.span.upperBound - $0.span.lowerBound).rounded()).words)"
        }
        .distinct(by: \.self)
        let more = named.count > 8 ? ", and \(named.count - 8) more" : ""
        let words =
            (tasks.count > 1 ? "\(shown.name): " : "") + named.prefix(8).joined(separator: ", ") + more + "."
        var drawing = Drawing(width: 440, height: 106, description: "The time line. \(words)")
        for moment in pauses { drawing.line((axis.place(moment), 8), (axis.place(moment), 20), "axis") }
        for part in parts {
            let (from, to) = (axis.place(part.span.lowerBound), axis.place(part.span.upperBound))
            drawing.rectangle(from, 20, to - from, 32, part.isPlayed ? "clip" : "box", tip: part.name)
            if Drawing.width(of: part.name) < to - from - 8 { drawing.text(part.name, from + 4, 41) }
        }
        let ticks = Axis(0...whole / (isShort ? 1 : 60), pixels: axis.pixels)
        for tick in ticks.ticks(6) {
            drawing.line((ticks.place(tick), 56), (ticks.place(tick), 61), "axis")
            drawing.text(Axis.label(tick), ticks.place(tick), 76, "middle soft")
        }
        drawing.text("time, without reading and answering, \(isShort ? "s" : "min")", 220, 98, "middle soft")
        return drawing.figure(
            "\(words) Filled: a clip is played; open: none is; ticks: reading or answering.")
    }

    /// - Parameter least: shorter visits are joined with those before them, s.
    /// - Returns: the timed parts, and the moments of what is not timed.
    private func parts(
        of visits: [(entry: RunPlan.Entry, time: Duration)], in shown: ShownTask, least: Double
    ) -> (parts: [Part], pauses: [Double]) {
        let steps = Dictionary(shown.steps.flatMap(\.withInner).map { ($0.identifier, $0) }) { first, _ in
            first
        }
        let name = { (step: Identifier) in steps[step].flatMap(title) ?? step.text }
        let names = shown.task.steps.map(\.identifier)
        let underMusic = Set(
            shown.task.music.flatMap { music -> ArraySlice<Identifier> in
                guard let from = names.firstIndex(of: music.from), let to = names.lastIndex(of: music.to),
                    from <= to
                else { return [] }
                return names[from...to]
            })
        var (parts, pauses, now, isJoinable): ([Part], [Double], Double, Bool) = ([], [], 0, false)
        for (entry, time) in visits {
            guard time > .zero else {
                pauses.append(now)
                isJoinable = false
                continue
            }
            let end = now + time.seconds
            let isPlayed =
                entry.stimulus != nil || entry.blocks.contains { $0.step.block?.stimulus != nil }
                || entry.path.first.map(underMusic.contains) == true
            if isJoinable, time.seconds < least, let last = parts.last, last.isPlayed == isPlayed {
                parts[parts.count - 1].span = last.span.lowerBound...end
                if let block = entry.path.dropLast().last { parts[parts.count - 1].name = name(block) }
            } else {
                parts.append(Part(name: name(entry.step.identifier), span: now...end, isPlayed: isPlayed))
            }
            isJoinable = time.seconds < least
            now = end
        }
        return (parts, pauses)
    }
}
