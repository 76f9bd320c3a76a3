import SessionPorts
import StudyModel
import TextFormat

/// What a terminal shows at one moment.
package struct Picture: Hashable, Sendable {
    var frame: Frame
    /// Which part of the text that is, to be passed to `Interview.handle`.
    var view: Interview.View
}

extension Interview {
    /// What the terminal shows now.
    func picture(at now: RunInstant, in size: TerminalSize) -> Picture {
        var reader = waiting(until: now)
        let layout = Layout(reader, at: now, in: size)
        // What the keys do depends on what is shown.
        guard
            needsReading && layout.view.hasSeenEnd || layout.view.isActiveShown != view.isActiveShown
        else { return layout.picture }
        reader.handle(layout.view)
        return Layout(reader, at: now, in: size).picture
    }

    /// Where everything is on a terminal.
    private struct Layout {
        /// How many rows are used at most.
        private static let mostRows = 44
        let interview: Interview
        let terminal: TerminalSize
        let margin: Int
        /// Blank rows above.
        let space: Int
        let body: Body
        let chrome: ScreenChrome
        /// The rows between the fixed parts above and below.
        let rows: Int
        /// Which lines of the body are visible.
        let view: View

        init(_ interview: Interview, at now: RunInstant, in terminal: TerminalSize) {
            self.interview = interview
            let least = terminal.columns >= 44 ? 2 : 0
            let width = min(terminal.columns - 2 * least, 76)
            // On a large terminal, lines have a readable length and stand in the middle.
            margin = terminal.columns >= 100 ? (terminal.columns - width) / 2 : least
            let size = TerminalSize(columns: terminal.columns, rows: min(terminal.rows, Self.mostRows))
            self.terminal = terminal
            let rowsOfBody = size.rows - 7
            let text = { gap in
                interview.ending.map { Body(lines: interview.closing($0, width: width)) }
                    ?? interview.body(width: width, rows: rowsOfBody, gap: gap)
            }
            // If the text fits into half of a large terminal, its parts have more room between them.
            var body = text(terminal.columns >= 100 && size.rows >= 30 ? 2 : 1)
            if body.gap > 1, body.lines.count > rowsOfBody / 2 { body = text(1) }
            var chrome = ScreenChrome(interview, at: now, width: width, level: .full)
            for level in ScreenChrome.Level.allCases where level > .full {
                let wanted = [.full: 12, .compact: max(4, size.rows * 3 / 5)][chrome.level] ?? 4
                // A picture is shown whole or not at all.
                let needed = body.images.isEmpty ? min(body.lines.count, wanted) : body.lines.count
                if size.rows - chrome.height >= needed { break }
                chrome = ScreenChrome(interview, at: now, width: width, level: level)
            }
            rows = max(1, size.rows - chrome.height)
            let window = Window(rows: rows, of: body.lines.count)
            var view = interview.view.showing(
                window.lines(from: interview.firstLine(of: body, in: window)), of: body)
            view.isGrid = body.isGrid
            view.pad = nil
            self.view = view
            self.body = body
            self.chrome = chrome
            // Everything stands together, at the same height on all pages that leave room for it.
            let free = terminal.rows - chrome.height - min(rows, body.lines.count)
            space = max(0, min(free, (terminal.rows - 20) / 4))
        }

        var picture: Picture {
            let (top, end) = (view.shownTop, min(body.lines.count, view.shownTop + view.rows))
            let hasMarks = Window(rows: rows, of: body.lines.count).hasMarks
            let isMoreAbove = hasMarks && top > 0
            let lines =
                (isMoreAbove ? [StyledLine(Span("▲ " + interview.wording(.moreAbove), .quiet))] : [])
                + body.lines[top..<end]
                + (hasMarks && end < body.lines.count
                    ? [StyledLine(Span("▼ " + interview.wording(.moreBelow), .quiet))] : [])
            let below = (chrome.status + chrome.footer.lines).suffix(max(0, terminal.rows - 1))
            let apart = max(0, min(body.gap - 1, terminal.rows - space - chrome.height - lines.count))
            let above =
                (Array(repeating: .empty, count: space) + chrome.header + lines
                + Array(repeating: .empty, count: apart))
                .prefix(max(0, terminal.rows - below.count))
            let blank = Array(
                repeating: StyledLine.empty, count: max(0, terminal.rows - above.count - below.count))
            var frame = Frame(
                lines: (above + below + blank).map { $0.indented(by: margin).clipped(to: terminal.columns) },
                cursor: nil, bells: interview.bells)
            var view = view
            // Where the first line of the body stands, and that of the keys.
            let start = space + chrome.header.count + (isMoreAbove ? 1 : 0) - top
            let foot = above.count + below.count - chrome.footer.lines.count
            func place(_ cursor: Frame.Position, below rows: Int) -> Frame.Position {
                Frame.Position(
                    row: rows + cursor.row, column: min(terminal.columns - 1, margin + cursor.column))
            }
            if let cursor = chrome.footer.cursor, foot + cursor.row >= above.count {
                frame.cursor = place(cursor, below: foot)
            } else if let cursor = body.cursor, (top..<end).contains(cursor.row), interview.mode == .plain {
                frame.cursor = place(cursor, below: start)
            }
            if var pad = body.pad {
                pad.top += start
                pad.left += margin
                view.pad = pad
            }
            // A picture is shown if all of it is visible.
            for var placed in body.images where interview.mode == .plain {
                let rows = placed.position.row..<placed.position.row + placed.image.rows
                guard rows.lowerBound >= top, rows.upperBound <= min(end, above.count - start) else {
                    continue
                }
                placed.position = Frame.Position(
                    row: start + rows.lowerBound, column: margin + placed.position.column)
                frame.show(placed)
            }
            if interview.takesClicks {
                view.targets =
                    body.targets.filter { (top..<end).contains($0.row) }
                    .map { $0.moved(down: start, right: margin) }
                    + chrome.footer.targets.map { $0.moved(down: foot, right: margin) }
                    .filter { $0.row >= above.count }
            }
            frame.wantsPointer = interview.isRating || !view.targets.isEmpty
            return Picture(frame: frame, view: view)
        }
    }

    /// When the frame next changes by itself; `nil` if it does not.
    func nextChange(after now: RunInstant) -> RunInstant? {
        guard ending == nil else { return nil }
        let wait = waiting(until: now).timeToOpen
        guard wait > .zero else { return nextMovement(after: now) }
        let tick = now.advanced(by: wait - .seconds(wait.wholeSecondsUp - 1))
        return min(tick, nextMovement(after: now) ?? tick)
    }

    /// When a drawing next moves by itself.
    private func nextMovement(after now: RunInstant) -> RunInstant? {
        guard let screen else { return nil }
        if let end = screen.end, screen.remaining(at: now) != nil, now < end {
            let whole = now.duration(to: end).wholeSecondsUp
            return [end.advanced(by: .seconds(1 - whole)), nextWave(after: now), nextBreath(after: now)]
                .compactMap(\.self).min()
        }
        if let next = [nextWave(after: now), nextBreath(after: now)].compactMap(\.self).min() { return next }
        if let lost = lostSince.values.max() {
            let seconds = max(0, lost.duration(to: now).components.seconds)
            return lost.advanced(by: .seconds(seconds + 1))
        }
        return screen.shows.contains(.heartRate) && !heart.points.isEmpty
            ? now.advanced(by: .seconds(1)) : nil
    }

    /// When the wave of a camera next moves; `nil` if none is shown.
    private func nextWave(after now: RunInstant) -> RunInstant? {
        guard let screen, pulse.isFresh(at: now), PulseScroll.concerns(screen) else { return nil }
        return screen.shows.contains(.heartRate)
            ? pulse.nextStep(after: now) : now.advanced(by: .seconds(1))
    }

    private func firstLine(of body: Body, in window: Window) -> Int {
        if let top = view.top { return top }
        guard let focus = body.focus else { return 0 }
        // A question is shown from its top. If it is longer than the terminal, the part that the keys change stays
        // visible.
        let kept = window.lines(from: min(view.shownTop, focus.lowerBound))
        let whole = kept.upperBound >= focus.upperBound ? kept : window.lines(from: focus.lowerBound)
        guard let active = body.active, active >= whole.upperBound else { return whole.lowerBound }
        return active - window.leastLines + 1
    }

    /// The last words in lines of at most `width` columns.
    func closing(_ ending: Conversation.Ending, width: Int) -> [StyledLine] {
        Self.lastWords(ending, wording).enumerated().flatMap {
            $1.lines(to: width, $0 == 0 ? .heading : .plain)
        }
    }

    /// What is said when the run is over: how, and where the data are.
    static func lastWords(_ ending: Conversation.Ending, _ wording: Wording) -> [String] {
        let words: Phrase =
            switch ending.reason {
            case .completed: .overCompleted
            case .discarded: .overDiscarded
            case .declined: .overDeclined
            case .failed: .overFailed
            case .saved: .overSaved
            case .earlyTermination: .overEarly
            case .ended: .overEnded
            }
        let place = ending.folder.map { wording(.dataIn, $0) } ?? wording(.dataNotSaved)
        return [ending.words ?? wording(words), place]
    }
}

/// The part of a text that a terminal shows, with a mark above or below if there is more.
private struct Window {
    let rows: Int
    let total: Int

    init(rows: Int, of total: Int) {
        self.rows = rows
        self.total = total
    }

    /// Whether there is more than fits, and room to say so.
    var hasMarks: Bool { total > rows && rows > 3 }
    /// How many lines fit between two marks.
    var leastLines: Int { hasMarks ? rows - 2 : rows }

    /// The lines shown from a given line on, or from an earlier one if the text ends before.
    func lines(from top: Int) -> Range<Int> {
        guard total > rows else { return 0..<total }
        guard hasMarks else {
            let first = min(max(0, top), total - rows)
            return first..<first + rows
        }
        let first = min(max(0, top), total - rows + 1)
        return
            first..<min(
                total, first + (first == 0 ? rows - 1 : first == total - rows + 1 ? rows - 1 : rows - 2))
    }
}

extension Duration {
    /// Whole seconds, rounded up.
    var wholeSecondsUp: Int64 {
        let (seconds, attoseconds) = components
        return seconds + (attoseconds > 0 ? 1 : 0)
    }

    /// `m:ss`, or from an hour on `h:mm:ss`; seconds are rounded up.
    var clockFace: String {
        let seconds = max(0, wholeSecondsUp)
        func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : String(number) }
        let minutes = seconds / 60 % 60
        return seconds < 3_600
            ? "\(minutes):\(twoDigits(seconds % 60))"
            : "\(seconds / 3_600):\(twoDigits(minutes)):\(twoDigits(seconds % 60))"
    }
}
