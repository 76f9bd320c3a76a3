extension ResultBundle {
    /// What came of a step's program beside its answers.
    public struct Program: Hashable, Sendable {
        /// What it measured, in the order in which it told.
        public var samples: [Sample]
        /// Samples beyond the most that a step takes.
        public var droppedSamples: Int
        /// How often it said something that means nothing.
        public var unclearCount: Int
        /// What was wrong with the first of these.
        public var firstUnclear: String?
        /// Why it did not end as it should.
        public var problem: String?

        /// A number that it measured.
        public struct Sample: Hashable, Sendable {
            /// What it is called.
            public var name: String
            /// In whatever unit the program counts.
            public var value: Double
            /// When it was measured, seconds since the run's start.
            public var offset: Double
        }

        /// What went wrong, in words.
        package var problems: [String] {
            var problems = problem.map { ["the program \($0)"] } ?? []
            if unclearCount > 0 {
                problems.append(
                    "lines of the program that mean nothing: \(unclearCount)"
                        + (firstUnclear.map { "; the first: \($0)" } ?? ""))
            }
            if droppedSamples > 0 {
                problems.append("samples of the program beyond the limit of a step: \(droppedSamples)")
            }
            return problems
        }
    }
}

extension ResultBundle.Visit {
    /// What went wrong with recorders and with the step's program, in words.
    package var problems: [String] { recorderErrors + (program?.problems ?? []) }
}
