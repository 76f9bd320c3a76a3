import SessionPorts
import StudyModel

/// The mark of a rating: keys and the pointer in, values out.
struct Rater: Hashable, Sendable {
    /// The visit that it belongs to.
    let ordinal: Int
    let scale: Screen.Rating
    private(set) var values: [Double]

    /// - Parameter old: the rater before. Its mark stays where it is during the same visit.
    init?(_ screen: Screen, after old: Rater?) {
        guard let rating = screen.rating else { return nil }
        ordinal = screen.ordinal
        scale = rating
        values = old?.ordinal == screen.ordinal ? old?.values ?? rating.scale.start : rating.scale.start
    }

    var dimensions: [RatingScale.Dimension] { scale.scale.dimensions }
    var isPlane: Bool { dimensions.count > 1 }

    /// Moves the mark; values beyond the scale become its ends.
    mutating func put(_ new: [Double]) {
        values = zip(dimensions, new).map { $0.value(near: $1) }
    }

    /// What the participant did, at a moment.
    func rated(at instant: RunInstant) -> ParticipantAct {
        .rated(Rated(ordinal: ordinal, recorder: scale.recorder, values: values, at: instant))
    }

    /// - Parameter pad: where the scale is shown; `nil` if it is not.
    /// - Returns: whether the mark moved; `nil` for keys that have nothing to do with it.
    mutating func handle(_ key: Key, on pad: RatingPad?) -> Bool? {
        guard let target = target(of: key, on: pad) else { return nil }
        let before = values
        put(target)
        return values != before
    }

    private func target(of key: Key, on pad: RatingPad?) -> [Double]? {
        switch key {
        case .right: return moved(0, by: 1)
        case .left: return moved(0, by: -1)
        case .up: return moved(dimensions.count - 1, by: 1)
        case .down: return moved(dimensions.count - 1, by: -1)
        case .home where !isPlane: return [dimensions[0].from]
        case .end where !isPlane: return [dimensions[0].to]
        case .character(let character): return digit(character)
        case .pointer(let column, let row):
            guard let share = pad?.share(column: column, row: row) else { return nil }
            return zip(dimensions, [share.across, share.up]).map { $0.value(at: $1) }
        case .control, .alt, .paste, .return, .tab, .backTab, .escape, .backspace, .delete, .home, .end,
            .pageUp, .pageDown, .wheel:
            return nil
        }
    }

    private func moved(_ dimension: Int, by steps: Double) -> [Double] {
        var moved = values
        moved[dimension] += steps * dimensions[dimension].step
        return moved
    }

    /// 1 to 9 along a line, or as on a numeric keypad on a plane.
    private func digit(_ character: Character) -> [Double]? {
        guard character.isASCII, let digit = character.wholeNumberValue, digit > 0 else { return nil }
        let shares =
            isPlane
            ? [Double((digit - 1) % 3) / 2, Double((digit - 1) / 3) / 2] : [Double(digit - 1) / 8]
        return zip(dimensions, shares).map { $0.value(at: $1) }
    }
}

/// Where a rating's line or plane stands, in character cells from 0.
struct RatingPad: Hashable, Sendable {
    var top: Int
    var left: Int
    var rows: Int
    var columns: Int

    /// The position of a cell, 0...1 from left to right and from bottom to top; `nil` outside. One cell beyond the
    /// edge still counts.
    func share(column: Int, row: Int) -> (across: Double, up: Double)? {
        let (across, down) = (column - left, row - top)
        guard (-1...columns).contains(across), (-1...rows).contains(down) else { return nil }
        let part = { (place: Int, count: Int) in
            count > 1 ? Double(min(count - 1, max(0, place))) / Double(count - 1) : 0.5
        }
        return (part(across, columns), 1 - part(down, rows))
    }
}

extension Interview {
    /// Takes a key that moves the mark of a rating. While a prompt is shown, only the pointer moves it.
    ///
    /// - Returns: `nil` if it moves none.
    mutating func rate(with key: Key, at instant: RunInstant) -> [ParticipantAct]? {
        guard mode == .plain, isRating, key.isPointer || !isAnswering && timeToOpen == .zero,
            var moving = rater,
            let moved = moving.handle(key, on: view.pad)
        else { return nil }
        rater = moving
        return [.key(key.name)] + (moved ? [moving.rated(at: instant)] : [])
    }

    /// Whether the mark of a rating can be moved now.
    var isRating: Bool {
        guard rater != nil, ending == nil, case .running? = screen?.phase else { return false }
        return true
    }
}
