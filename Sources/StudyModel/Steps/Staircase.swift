/// A block whose rounds go up and down a ladder of conditions, as the answers decide (Levitt 1971).
///
/// The rows of the block's table are the ladder, from the easiest to the hardest. Rows that follow one another with the
/// same value are one rung; which of them comes is drawn.
public struct Staircase: Hashable, Sendable {
    /// The question whose right answers decide.
    public var question: Identifier
    /// The column with the number that a rung stands for.
    public var column: String
    /// That number of each rung, from the first one on.
    public var values: [Double]
    /// How many rows each rung has; at least 1.
    public var rowsOfRung = 1
    /// How many right answers in a row lead to a harder rung; at least 1.
    public var down: Int
    /// How many wrong answers in a row lead to an easier rung; at least 1.
    public var up: Int
    /// By how many rungs a track moves: before its first reversal, from the first one on, and so on; the last number
    /// stays. At least one number, each at least 1.
    public var steps: [Int]
    /// After how many reversals a track is done; `nil` if only the number of its trials ends it.
    public var reversals: Int?
    /// After how many trials a track is done in any case; at least 1.
    public var mostTrials: Int
    /// At least one.
    public var tracks = [Track()]
    /// The places in `tracks` whose turn it is, in order: as many turns for each as it can have trials. They are drawn
    /// for a plan.
    public var turns: [Int] = []

    /// A staircase of one track without a name, which begins at the first rung.
    public init(
        question: Identifier, column: String, values: [Double], down: Int = 2, up: Int = 1,
        steps: [Int] = [1],
        reversals: Int? = nil, mostTrials: Int
    ) {
        (self.question, self.column, self.values) = (question, column, values)
        (self.down, self.up, self.steps) = (down, up, steps)
        (self.reversals, self.mostTrials) = (reversals, mostTrials)
    }

    /// One of several staircases that take turns.
    public struct Track: Hashable, Sendable {
        /// `nil` if it is the only one.
        public var identifier: Identifier?
        /// The rung of its first trial, from 1.
        public var start: Int

        public init(_ identifier: Identifier? = nil, start: Int = 1) {
            (self.identifier, self.start) = (identifier, start)
        }
    }

    /// How many rounds a pass can have.
    package var mostRounds: Int { mostTrials * tracks.count }

    /// The trials so far, worked out from whether each answer was right.
    package struct Course: Sendable {
        private let staircase: Staircase
        package private(set) var trials: [Trial] = []
        private var states: [State]
        /// The place of the next turn.
        private var turn = 0

        /// What decides the next rung of a track.
        private struct State {
            /// From 0.
            var rung: Int
            var trials = 0
            var reversals = 0
            /// Right answers, or wrong ones, since the last change of the rung, or since the last of the other kind.
            var right = 0
            var wrong = 0
            /// Whether the last change led to a harder rung.
            var wentDown: Bool?
        }

        package struct Trial: Hashable, Sendable {
            /// The place of its track.
            package var track: Int
            /// From 0.
            package var rung: Int
            package var isRight: Bool
            /// Whether the rung changed after it in the other direction than it had changed last.
            package var isReversal = false
            /// Whether the rung would have changed after it, but there is none beyond.
            package var isAtEnd = false
        }

        package init(_ staircase: Staircase) {
            self.staircase = staircase
            states = staircase.tracks.map { State(rung: $0.start - 1) }
        }

        /// The rung of the next trial, from 0; `nil` if all tracks are done.
        package var next: Int? { nextTurn.map { states[staircase.turns[$0]].rung } }

        /// A finished track leaves its turns out.
        private var nextTurn: Int? {
            staircase.turns.indices.dropFirst(turn).first { !isDone(states[staircase.turns[$0]]) }
        }

        private func isDone(_ state: State) -> Bool {
            state.trials >= staircase.mostTrials || staircase.reversals.map { state.reversals >= $0 } == true
        }

        /// Takes the answer of the next trial; of none if all tracks are done.
        package mutating func take(isRight: Bool) {
            guard let place = nextTurn else { return }
            turn = place + 1
            let track = staircase.turns[place]
            var state = states[track]
            var trial = Trial(track: track, rung: state.rung, isRight: isRight)
            state.trials += 1
            (state.right, state.wrong) = isRight ? (state.right + 1, 0) : (0, state.wrong + 1)
            if state.right == staircase.down || state.wrong == staircase.up {
                (state.right, state.wrong) = (0, 0)
                let last = staircase.values.count - 1
                trial.isAtEnd = state.rung == (isRight ? last : 0)
                if !trial.isAtEnd {
                    trial.isReversal = state.wentDown == !isRight
                    state.wentDown = isRight
                    if trial.isReversal { state.reversals += 1 }
                    let step = staircase.steps[min(state.reversals, staircase.steps.count - 1)]
                    state.rung = min(last, max(0, state.rung + (isRight ? step : -step)))
                }
            }
            states[track] = state
            trials.append(trial)
        }

        /// The values at the last reversals of each track, or of one.
        ///
        /// - Returns: `nil` if a track has fewer reversals.
        package func lastReversals(_ count: Int, of track: Identifier? = nil) -> [Double]? {
            var values: [Double] = []
            for (place, own) in staircase.tracks.enumerated() where track == nil || own.identifier == track {
                let reversals = trials.filter { $0.track == place && $0.isReversal }
                guard reversals.count >= count else { return nil }
                values += reversals.suffix(count).map { staircase.values[$0.rung] }
            }
            return values
        }
    }
}

extension Block {
    /// How many rounds a pass can have.
    ///
    /// - Parameter clips: how many clips or conditions it goes through; 1 if it goes through none.
    package func mostRounds(of clips: Int) -> Int {
        staircase?.mostRounds ?? max(1, repetitions) * max(1, min(clips, take?.count ?? clips))
    }
}

extension StepResult {
    /// A trial of a staircase, with the step that asks its question.
    public struct Trial: Hashable, Sendable {
        /// Its track; `nil` if there is only one.
        public var track: Identifier?
        /// The rung of the ladder, from 1, the easiest.
        public var rung: Int
        /// The number that the rung stands for.
        public var value: Double
        /// Whether the answer was right; one that was not given is wrong.
        public var isRight: Bool
        /// Whether the rung changed after it in the other direction than it had changed last.
        public var isReversal: Bool
        /// Whether the rung would have changed after it, but there is none beyond.
        public var isAtEnd: Bool

        public init(
            track: Identifier?, rung: Int, value: Double, isRight: Bool, isReversal: Bool, isAtEnd: Bool
        ) {
            (self.track, self.rung, self.value) = (track, rung, value)
            (self.isRight, self.isReversal, self.isAtEnd) = (isRight, isReversal, isAtEnd)
        }
    }
}
