package import StudyModel
import StudySession

extension Interview {
    /// What the terminal shows now; takes note of how much of the text had room.
    package mutating func frame(at now: RunInstant, in size: TerminalSize) -> Frame {
        let margin = size.columns >= 44 ? 2 : 0
        let width = min(size.columns - 2 * margin, 76)
        let body = ending.map { Body(lines: closing($0, width: width)) } ?? self.body(width: width)
        var chosen = ScreenChrome(self, at: now, width: width, level: .bare)
        for level in ScreenChrome.Level.allCases {
            chosen = ScreenChrome(self, at: now, width: width, level: level)
            if size.rows - chosen.height >= min(body.lines.count, level == .full ? 12 : 4) { break }
        }
        let room = max(1, size.rows - chosen.height)
        let top = firstLine(of: body, rows: room)
        let neededReading = needsReading
        noteView(top: top, rows: room, total: body.lines.count)
        // What the keys do depends on whether the end of the text is on show.
        if neededReading != needsReading { return frame(at: now, in: size) }
        var lines = Array(body.lines[top..<min(body.lines.count, top + room)])
        if top + room < body.lines.count, let last = lines.indices.last, lines.count > 1 {
            lines[last] = StyledLine(Span("▼ " + wording(.moreBelow), .quiet))
        }
        let blank = Array(repeating: StyledLine.empty, count: max(0, room - lines.count))
        let above = chosen.header + lines
        let below = (chosen.status + chosen.footer).suffix(max(0, size.rows - min(above.count, 1)))
        let all = (above + blank).prefix(max(0, size.rows - below.count)) + below
        var frame = Frame(
            lines: all.map { $0.indented(by: margin).clipped(to: size.columns) }, cursor: nil, bells: bells)
        if let cursor = body.cursor, (top..<top + lines.count).contains(cursor.row), mode == .plain {
            frame.cursor = Frame.Position(
                row: chosen.header.count + cursor.row - top,
                column: min(size.columns - 1, margin + cursor.column))
        }
        return frame
    }

    /// When the frame changes by itself; `nil` where it does not.
    package func nextChange(after now: RunInstant) -> RunInstant? {
        guard ending == nil, let screen else { return nil }
        if case .running(_, let end) = screen.phase, screen.remaining(at: now) != nil, now < end {
            let whole = now.duration(to: end).wholeSecondsUp
            return min(end.advanced(by: .seconds(1 - whole)), nextWave(after: now) ?? end)
        }
        if let next = nextWave(after: now) { return next }
        return screen.isHeartRateShown && !heart.points.isEmpty ? now.advanced(by: .seconds(1)) : nil
    }

    /// When the wave of a camera moves on; `nil` where none is on show.
    private func nextWave(after now: RunInstant) -> RunInstant? {
        guard let screen, pulse.isFresh(at: now), PulseScroll.concerns(screen) else { return nil }
        return screen.isHeartRateShown
            ? pulse.nextStep(after: now) : now.advanced(by: .seconds(1))
    }

    private func firstLine(of body: Body, rows: Int) -> Int {
        let last = max(0, body.lines.count - rows)
        if let top = view.top { return min(top, last) }
        guard let focus = body.focus else { return 0 }
        // The question with its answer stays on show; the one being typed most of all.
        let end = min(last, max(0, focus.upperBound - rows + 1))
        return max(end, min(view.shownTop, focus.lowerBound, last))
    }

    /// The last words in lines of at most `width` columns.
    func closing(_ ending: Ending, width: Int) -> [StyledLine] {
        Self.lastWords(ending, wording).enumerated().flatMap {
            $1.lines(to: width, $0 == 0 ? .heading : .plain)
        }
    }

    /// What is said when the run is over: how, and where the data are.
    static func lastWords(_ ending: Ending, _ wording: Wording) -> [String] {
        let words: Phrase =
            switch ending.reason {
            case .completed: .overCompleted
            case .discarded: .overDiscarded
            case .failed: .overFailed
            case .saved: .overSaved
            case .earlyTermination: .overEarly
            }
        let place = ending.folder.map { wording(.dataIn, $0) } ?? wording(.dataNotSaved)
        return [wording(words), place]
    }
}

extension Duration {
    /// Whole seconds, a begun one counting as one.
    var wholeSecondsUp: Int64 {
        let (seconds, attoseconds) = components
        return seconds + (attoseconds > 0 ? 1 : 0)
    }

    /// `m:ss`, or `h:mm:ss` from an hour on; a begun second counts as one.
    var clockFace: String {
        let seconds = max(0, wholeSecondsUp)
        func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : String(number) }
        let minutes = seconds / 60 % 60
        return seconds < 3_600
            ? "\(minutes):\(twoDigits(seconds % 60))"
            : "\(seconds / 3_600):\(twoDigits(minutes)):\(twoDigits(seconds % 60))"
    }
}
