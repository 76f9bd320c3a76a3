import StudyModel
import TextFormat

/// The desk of whoever runs sessions: what is shown, what is chosen, what is typed, and what was ordered.
package struct Desk: Sendable {
    private(set) var page: DeskPage
    private(set) var mode = Mode.plain
    /// The last orders, oldest first.
    private(set) var told: [Told] = []
    /// The name of the chosen row.
    private var chosenName: String?
    private var orders = 0

    enum Mode: Hashable, Sendable {
        case plain
        /// Waits for how bad something was.
        case judging(DeskOrder)
        /// Waits for words.
        case typing(DeskOrder, LineEditor)
        /// Waits for a yes.
        case confirming(DeskOrder)
    }

    /// An order, and what came of it.
    struct Told: Hashable, Sendable {
        let number: Int
        let words: String
        /// `nil` until there is an answer.
        var answer: DeskAnswer?

        var text: String {
            switch answer {
            case nil: "\(words): ordered, not received yet"
            case .received: "\(words): received"
            case .refused(let reason): "\(words): not done: \(reason)"
            }
        }
    }

    package init(_ page: DeskPage) {
        self.page = page
        chosenName = page.rows.first?.name
    }

    /// How many of the last orders are shown.
    private static let remembered = 2

    /// Takes what is known now. When the chosen row goes, another one of the same person is chosen, or none: no key then
    /// reaches somebody else.
    package mutating func take(_ page: DeskPage) {
        let who = chosen?.participant
        let hadRows = !self.page.rows.isEmpty
        self.page = page
        guard chosen == nil else { return }
        let rows = page.rows
        chosenName = (hadRows ? rows.first { $0.participant == who } : rows.first)?.name
    }

    var chosen: DeskRow? { page.rows.first { $0.name == chosenName } }

    var offered: [DeskAction] { DeskAction.offered(for: chosen, on: page) }

    /// What is asked now, and what was typed so far; `nil` if nothing is asked.
    var question: (words: String, line: LineEditor?)? {
        switch mode {
        case .plain: nil
        case .judging: ("How bad was it? 1 mild, 2 moderate, 3 severe", nil)
        case .typing(let order, let line): (order.action.question(of: order.row, on: page) ?? "", line)
        case .confirming(let order): (order.action.question(of: order.row, on: page) ?? "", nil)
        }
    }

    /// Takes a key.
    ///
    /// - Parameter pressed: when, nanoseconds of the machine's monotonic clock.
    /// - Returns: what is to be done, if anything is.
    mutating func take(_ key: Key, pressed: Int64) -> DeskOrder? {
        if key == .escape || key == .control("c"), mode != .plain {
            mode = .plain
            return nil
        }
        switch mode {
        case .plain: return command(key, pressed: pressed)
        case .judging(var order):
            guard case .character(let digit) = key, let place = Int(String(digit)),
                RunMark.Severity.allCases.indices.contains(place - 1)
            else { return nil }
            order.severity = RunMark.Severity.allCases[place - 1]
            mode = .typing(order, LineEditor())
        case .typing(var order, var line):
            guard key == .return else {
                _ = line.handle(key.onOneLine)
                mode = .typing(order, line)
                return nil
            }
            let text = line.text.trimmed
            // An order that changes something needs its reason, so an empty line does nothing.
            guard RunMark.isText(text) else { return nil }
            mode = .plain
            guard order.action == .newcomer else {
                order.text = text
                return order
            }
            let due = DeskAppointment(participant: text, number: nil, session: "", state: "", when: "")
            return begin(.begin, of: .due(due), pressed: order.pressed)
        case .confirming(let order):
            mode = .plain
            return key == .character("y") ? order : nil
        }
        return nil
    }

    private mutating func command(_ key: Key, pressed: Int64) -> DeskOrder? {
        switch key {
        case .up, .down: move(by: key == .up ? -1 : 1)
        case .control("c"): return DeskOrder(.quit, of: nil, pressed: pressed)
        case .character(let character):
            if let place = Int(String(character)), page.rows.indices.contains(place - 1) {
                chosenName = page.rows[place - 1].name
            } else if let action = offered.first(where: { $0.key == character }) {
                return begin(action, of: chosen, pressed: pressed)
            }
        case .return, .tab, .backTab, .escape, .backspace, .delete, .left, .right, .home, .end, .pageUp,
            .pageDown, .control, .alt, .paste, .pointer, .wheel:
            break
        }
        return nil
    }

    private mutating func move(by places: Int) {
        let rows = page.rows
        guard !rows.isEmpty else { return }
        let place = rows.firstIndex { $0.name == chosenName }.map { $0 + places } ?? 0
        chosenName = rows[min(max(place, 0), rows.count - 1)].name
    }

    /// - Returns: the order, unless something is asked first.
    private mutating func begin(_ action: DeskAction, of row: DeskRow?, pressed: Int64) -> DeskOrder? {
        var order = DeskOrder(action, of: row, pressed: pressed)
        order.departs = !page.isAsCompared || order.due?.obstacles.contains(.wrongTime) == true
        if action == .acknowledge { order.alarm = page.alarms.first { $0.number != nil } }
        guard action.question(of: row, on: page) != nil else { return order }
        switch action {
        case .mark(.adverse): mode = .judging(order)
        case .recover: mode = .confirming(order)
        case _:
            var line = LineEditor()
            if action == .newcomer { line.choose(page.nextCode) }
            mode = .typing(order, line)
        }
        return nil
    }

    /// Remembers an order until it is answered.
    ///
    /// - Returns: its number.
    mutating func remember(_ order: DeskOrder) -> Int {
        orders += 1
        let what =
            order.alarm.map { "\(order.action.words), \($0.text)" }
            ?? "\(order.action.words), \(order.participant)"
        told = (told + [Told(number: orders, words: "\(page.clock.suffix(5)) \(what)")]).suffix(
            Self.remembered)
        return orders
    }

    mutating func take(_ answer: DeskAnswer, to number: Int) {
        if let place = told.firstIndex(where: { $0.number == number }) { told[place].answer = answer }
    }
}

extension DeskOrder {
    fileprivate var row: DeskRow? { run.map(DeskRow.run) ?? due.map(DeskRow.due) }
}
