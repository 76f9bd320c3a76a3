import SessionPorts
import StudyModel
import TextFormat

/// The fixed parts around the scrolling text: heading line, clock, heart rate, notices, keys.
struct ScreenChrome: Hashable, Sendable {
    var header: [StyledLine] = []
    var status: [StyledLine] = []
    var footer = Body()

    var height: Int { header.count + status.count + footer.lines.count }

    /// How much of it fits; the lowest level shows the most.
    enum Level: Int, CaseIterable, Comparable {
        case full
        case compact
        case tight
        case bare

        static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    private let interview: Interview
    private let now: RunInstant
    private let width: Int
    let level: Level
    private var wording: Wording { interview.wording }

    init(_ interview: Interview, at now: RunInstant, width: Int, level: Level) {
        self.interview = interview
        self.now = now
        self.width = width
        self.level = level
        guard let screen = interview.screen, interview.ending == nil else { return }
        header = heading(screen)
        status =
            clock(screen) + microphone(screen) + heart(screen)
            + interview.pulse.lines(at: now, on: screen, width: width, level: level, wording)
            + notices(screen)
        if level <= .compact, !status.isEmpty { status.insert(.empty, at: 0) }
        footer = keys(screen)
    }

    private func heading(_ screen: Screen) -> [StyledLine] {
        let stepOf = screen.progress.map { wording(.stepOf, String($0.step), String($0.of)) }
        let question = screen.progress == nil ? nil : interview.form?.progress(wording)
        let step = [question, stepOf].compactMap(\.self).joined(separator: "   ")
        let room = width - step.columns - (step.isEmpty ? 0 : 2)
        let title = room < 1 ? "" : screen.studyTitle.safe().clippedWithEllipsis(to: room)
        let gap = max(0, width - title.columns - step.columns)
        let line = StyledLine(Span(title + String(repeating: " ", count: gap) + step, .quiet))
        return switch level {
        case .full, .compact: [line, .empty]
        case .tight: step.isEmpty ? [] : [line]
        case .bare: []
        }
    }

    // MARK: The clock

    private func clock(_ screen: Screen) -> [StyledLine] {
        switch screen.phase {
        case .saving: return wording(.saving).lines(to: width)
        case .waitingForSource(let source, let problem):
            let isPulse = screen.isWaitingForPulse
            let words = isPulse ? wording(.coverLens) : wording(.waitingFor, wording.name(of: source))
            let lines = words.lines(to: width, .warning)
            let reason =
                isPulse
                ? [] : wording.waiting(because: problem).flatMap { $0.lines(to: width, .quiet) }
            return level == .bare
                ? Array(lines.prefix(1)) : lines + wording(.beginsWhenThere).lines(to: width) + reason
        case .waitingForArm(let problem):
            guard let problem else { return wording(.goesOnByItself).lines(to: width, .warning) }
            let lines = wording(.noArm).lines(to: width, .problem)
            return level == .bare
                ? Array(lines.prefix(1)) : lines + (wording.isEnglish ? problem.lines(to: width, .quiet) : [])
        case .timeUp: return wording(.timeUp).lines(to: width, .heading)
        case .paused:
            return wording(screen.wordsOfPause).lines(to: width, .warning) + timeLeft(screen)
        case .running:
            let time = timeLeft(screen)
            return time.isEmpty ? one(wording(screen.asksForKeys ? .running : .nothingToPress), .plain) : time
        case .waiting: return timeLeft(screen)
        }
    }

    private func timeLeft(_ screen: Screen) -> [StyledLine] {
        if screen.answersDue != nil, let left = screen.remaining(at: now) {
            let label = level == .bare ? "" : wording(.timeLeft) + " "
            return [StyledLine(Span(label, .quiet), Span(left.clockFace, .heading))]
        }
        guard case .timed(let duration, let isCountdown) = screen.content,
            let left = screen.remaining(at: now)
        else { return [] }
        let label = wording(isCountdown ? .getReady : .timeLeft)
        let face = left.clockFace
        let bar = progressBar(1 - left / duration)
        switch level {
        case .full:
            return [StyledLine(Span(label, .quiet))] + bigDigits(face).map { StyledLine(Span($0, .heading)) }
                + [bar]
        case .compact: return [StyledLine(Span(label + " ", .quiet), Span(face, .heading)), bar]
        case .tight: return [StyledLine(Span(label + " ", .quiet), Span(face, .heading))]
        case .bare: return [StyledLine(Span(face, .heading), Span(heartIsShown(screen) ? heartInShort : ""))]
        }
    }

    private func progressBar(_ share: Double) -> StyledLine {
        let length = min(50, width)
        let full = Int((min(1, max(0, share)) * Double(length)).rounded(.down))
        return StyledLine(
            Span(String(repeating: "█", count: full), .good),
            Span(String(repeating: "░", count: length - full), .quiet))
    }

    // MARK: The heart

    private func heartIsShown(_ screen: Screen) -> Bool {
        guard screen.shows.contains(.heartRate), screen.phase != .saving else { return false }
        if case .timed = screen.content { return true }
        return !interview.heart.points.isEmpty
    }

    private var heartInShort: String { interview.heart.current(at: now).map { "  ♥ \($0.shown(0))" } ?? "" }

    private func heart(_ screen: Screen) -> [StyledLine] {
        guard heartIsShown(screen) else { return [] }
        let expected = screen.expectedRange(at: now)
        let rate = interview.heart.current(at: now).map { $0.shown(0) }
        let words = rate.map { "♥ \($0) \(wording(.beatsPerMinute))" } ?? "♥ \(wording(.noReading))"
        let outlook =
            expected.map { wording(.expected, $0.lowerBound.shown(0), $0.upperBound.shown(0)) } ?? ""
        let isTimed = if case .timed = screen.content { true } else { false }
        switch isTimed ? level : max(level, .compact) {
        case .full: return tallHeart(rate, outlook: outlook, band: expected)
        case .compact: return one(words, .plain) + one(outlook, .quiet)
        case .tight:
            let both = "\(words)  \(outlook)".trimmed
            return one(both.columns <= width ? both : words, .plain)
        case .bare: return []
        }
    }

    private func tallHeart(_ rate: String?, outlook: String, band: ClosedRange<Double>?) -> [StyledLine] {
        let name = "♥ \(wording(.heartRate))"
        let full = "\(name), \(wording(.beatsPerMinute))"
        let label = full.columns <= width ? full : name
        let digits = rate.map(bigDigits) ?? [wording(.noReading), "", ""]
        let used = (digits.map(\.columns).max() ?? 0) + 3
        let columns = min(30, width - used)
        let trace =
            columns < 8 ? [] : interview.heart.drawn(at: now, columns: columns, rows: 3, band: band)
        let lines = digits.enumerated().map { row, text in
            StyledLine(
                Span(text, .heading), Span(String(repeating: " ", count: max(0, used - text.columns))),
                Span(trace.isEmpty ? "" : trace[row]))
        }
        return [.empty, StyledLine(Span(label, .quiet))] + lines + outlook.lines(to: width, .quiet)
    }

    // MARK: The microphone

    private func microphone(_ screen: Screen) -> [StyledLine] {
        guard let level = interview.soundLevel, case .running = screen.phase, self.level < .bare else {
            return []
        }
        let label = Span("● " + wording(.microphone) + " ", .quiet)
        let columns = min(30, width - label.text.columns)
        guard columns >= 6 else { return [] }
        let line = ([label] + SoundMeter.bar(level, columns: columns)).map { StyledLine($0) }
            .reduce(StyledLine.empty) { $0 + $1 }
        return self.level == .full ? [.empty, line] : [line]
    }

    // MARK: Notices and keys

    private func notices(_ screen: Screen) -> [StyledLine] {
        var lines: [StyledLine] = []
        if let isHeard = interview.isClipHeard {
            lines += wording(isHeard ? .clipHeard : .clipSilent).lines(to: width, isHeard ? .quiet : .problem)
        }
        let problems = screen.shows.contains(.lostSignal) ? interview.conversation.problems : [:]
        for (source, problem) in problems.sorted(by: { $0.key < $1.key }) {
            if case .waitingForSource(source, _) = screen.phase { continue }
            if problem == .noPulse { continue }
            let name = wording.name(of: source)
            let seconds = interview.secondsLost(source)
            let words =
                seconds > 0
                ? wording(.sourceLostSince, name, String(seconds)) : wording(.sourceLost, name)
            lines += words.lines(to: width, .problem)
        }
        switch interview.notice {
        case .saved(let title): lines += one(wording(.saved, title), .quiet)
        case .sourceBack where !screen.shows.contains(.lostSignal): break
        case .sourceBack(let source): lines += one(wording(.sourceBack, wording.name(of: source)), .plain)
        case .batteryLow(let source, let percent):
            lines += wording(.batteryLow, wording.name(of: source), String(percent))
                .lines(to: width, .problem)
        case .said(let words): lines += words.lines(to: width, .heading)
        case nil: break
        }
        if let message = interview.message {
            lines += wording(.experimenterSays, message.words).lines(to: width, .heading)
        }
        return level == .bare ? Array(lines.suffix(1)) : lines
    }

    private func keys(_ screen: Screen) -> Body {
        switch interview.mode {
        case .leaving:
            return asking(
                wording(.reallyLeave), nil,
                [(wording(.yesLetter), wording(.toLeave))]
                    + (interview.canPutAside ? [(wording(.laterLetter), wording(.toPutAside))] : [])
                    + [("n", wording(.toStay))])
        case .unlocking(let line):
            return asking(
                wording(.unlock), "> " + String(repeating: "•", count: min(line.text.count, width - 3)),
                [(wording(.keyReturn), wording(.toUnlock)), (wording(.keyEscape), wording(.toStay))])
        case .intervening(let line):
            return asking(
                wording(.intervening, Intervention.words.joined(separator: ", ")),
                "! " + line.text.safe().suffix(columns: width - 3),
                [(wording(.keyReturn), wording(.toDoThat)), (wording(.keyEscape), wording(.toStay))])
        case .plain, .choosing: break
        }
        let wait = interview.timeToOpen
        var body = menu
        if wait > .zero {
            body.lines += wording(.opensIn, String(wait.wholeSecondsUp)).lines(to: width, .warning)
        }
        body.add(hints(interview.hints))
        if level == .bare, !interview.mode.isChoosing {
            body.lines = Array(body.lines.prefix(1))
            body.targets.removeAll { $0.row > 0 }
        }
        guard level <= .compact, !body.lines.isEmpty else { return body }
        var spaced = Body(lines: [.empty])
        spaced.add(body)
        return spaced
    }

    /// A question of the program itself, with what is typed and the keys that answer it.
    private func asking(_ words: String, _ typed: String?, _ keys: [(key: String, action: String)]) -> Body {
        var body = Body(lines: words.lines(to: width, .heading))
        body.cursor = typed.map { Frame.Position(row: body.lines.count, column: $0.columns) }
        body.lines += typed.map { [StyledLine(Span($0))] } ?? []
        var hints = hints(keys)
        if typed == nil { hints.cursor = Frame.Position(row: 0, column: 0) }
        body.add(hints)
        return body
    }

    /// The menu of what can be done besides answering, while it is open.
    private var menu: Body {
        guard case .choosing(let chosen) = interview.mode else { return Body() }
        var body = Body()
        for (index, action) in interview.menu.enumerated() {
            let words = wording(action.words)
            let line = StyledLine(
                .marker(index == chosen), Span(words, index == chosen ? .chosen : .plain))
            if index == chosen { body.cursor = Frame.Position(row: index, column: 2) }
            body.targets.append(Target(row: index, columns: 0..<line.columns, .menu(index)))
            body.lines.append(line)
        }
        return body
    }

    private func hints(_ hints: [(key: String, action: String)]) -> Body {
        var body = Body()
        for (index, hint) in hints.enumerated() {
            let key = Span(hint.key, index == 0 && interview.awaitsKeys ? .accent : .heading)
            let next = StyledLine(key, Span(" " + hint.action, .quiet)).clipped(to: width)
            var start = 0
            if let last = body.lines.last, last.columns + 3 + next.columns <= width {
                start = last.columns + 3
                body.lines[body.lines.count - 1] = last + StyledLine(Span("   ")) + next
            } else {
                body.lines.append(next)
            }
            guard let act = interview.act(of: hint, isFirst: index == 0) else { continue }
            body.targets.append(
                Target(row: body.lines.count - 1, columns: start..<start + next.columns, act))
        }
        return body
    }

    private func one(_ text: String, _ style: Style) -> [StyledLine] {
        text.isEmpty ? [] : [StyledLine(Span(text.safe().clippedWithEllipsis(to: width), style))]
    }
}

extension String {
    fileprivate func clippedWithEllipsis(to width: Int) -> String {
        columns <= width ? self : prefix(columns: max(0, width - 1)) + "…"
    }
}
