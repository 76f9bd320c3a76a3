import TextFormat

extension ResultBundle {
    /// The outcome of a step's program, apart from its answers.
    public struct Program: Hashable, Sendable {
        /// What it measured, in the order in which it reported it.
        public var samples: [Sample]
        /// Samples that were left out because a step takes no more.
        public var droppedSamples: Int
        /// How many of its messages could not be understood.
        public var unclearCount: Int
        /// What was wrong with the first of them.
        public var firstUnclear: String?
        /// Why it did not end as it should, if so.
        public var problem: String?

        /// A number that it measured.
        public struct Sample: Hashable, Sendable {
            /// The name of what was measured.
            public var name: String
            /// In the program's own unit.
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

    /// For how long the program stood still, s; `nil` if it did not.
    package var stoodStill: Double? { standstills.isEmpty ? nil : standstills.totalLength }

    /// What to know of each time that the program stood still.
    package var standstillsInWords: [String] {
        standstills.map {
            "the program stood still for \(seconds($0.length)), from \(seconds($0.lowerBound - start)) after the step "
                + "was shown: keys were read late, and nothing was recorded in time"
        }
    }
}
