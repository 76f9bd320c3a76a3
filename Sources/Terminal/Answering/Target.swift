import SessionPorts
import StudyModel

/// A part of one row of a screen that can be clicked.
struct Target: Hashable, Sendable {
    var row: Int
    var columns: Range<Int>
    var act: Act
    /// The place of its question in the form.
    var place = 0

    /// What a click does.
    enum Act: Hashable, Sendable {
        /// Chooses an option of a list, or ticks it.
        case option(Int)
        /// Puts the mark of a scale there.
        case value(Double)
        /// Goes to the question.
        case question
        case sendLine
        /// Confirms the question, where Return may also begin a line.
        case confirm
        case key(Key)
        /// Does one of the actions of the menu.
        case menu(Int)
    }

    init(row: Int = 0, columns: Range<Int>, _ act: Act) {
        (self.row, self.columns, self.act) = (row, columns, act)
    }

    func moved(down rows: Int, right: Int = 0) -> Target {
        var target = self
        target.row += rows
        target.columns = columns.lowerBound + right..<columns.upperBound + right
        return target
    }
}

extension Interview {
    /// Whether clicks do something now. Nothing may disturb keys that are timed.
    var takesClicks: Bool {
        guard let screen, ending == nil, !mode.isOfExperimenter else { return false }
        return screen.reactionKeys.isEmpty && screen.tapKeys(wording) == nil
    }

    /// What a click on a key's name does; `nil` where it stands for several keys.
    ///
    /// - Parameter isFirst: whether it is what the page waits for.
    func act(of hint: (key: String, action: String), isFirst: Bool) -> Target.Act? {
        switch hint.key {
        case wording(.keyReturn) where isFirst && mode == .plain && isAnswering && view.isActiveShown:
            offers.contains(.answer) ? .confirm : .key(.return)
        case wording(.keyReturn): isFirst || mode.isChoosing ? .key(.return) : nil
        case wording(.keyEscape): .key(.escape)
        case wording(.keyTab): .key(.tab)
        case let key where key.count == 1 && key != String(Intervention.sign):
            key.first.map { .key(.character($0)) }
        case _: nil
        }
    }

    /// Does what stands where the pointer was pressed, as if by keys.
    mutating func click(column: Int, row: Int, at now: RunInstant) -> Event? {
        let target = view.targets.first { $0.row == row && $0.columns.contains(column) }
        guard takesClicks, let target else { return nil }
        switch target.act {
        case .key(let key): return event(for: key, at: now)
        case .menu(let index):
            mode = .choosing(index)
            return event(for: .return, at: now)
        case .option, .value, .question, .sendLine, .confirm:
            if mode.isChoosing { mode = .plain }
            guard mode == .plain, isAnswering, offers.contains(.answer), !isAnswered else { return nil }
            view.top = nil
            let isThere = form?.click(target, at: now) ?? false
            return isThere ? form?.send(at: now) : nil
        }
    }
}
