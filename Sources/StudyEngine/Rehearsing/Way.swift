package import StudyModel

/// A rule that led a run anywhere but to the next step, or to the next step early.
package struct Way: Hashable, Sendable {
    /// The step with the rule: identifiers from the task's list down to the step.
    package var path: [Identifier]
    package var list: List
    /// The rule's place in that list, from 0.
    package var rule: Int

    package enum List: String, Hashable, Sendable {
        case skipIf, goTo
        /// The condition of a timed step, of which there is only one.
        case until
    }

    package init(path: [Identifier], list: List, rule: Int) {
        (self.path, self.list, self.rule) = (path, list, rule)
    }
}

extension Study.Task {
    /// Every way in which its rules can lead, in the order of the steps, with the targets of `goTo`.
    package var ways: [(way: Way, target: Navigation.Target?)] {
        steps.flatMap { $0.ways(under: []) }
    }
}

extension Step {
    fileprivate func ways(under path: [Identifier]) -> [(Way, Navigation.Target?)] {
        let path = path + [identifier]
        let skips = navigation.skipIf.indices.map { Way(path: path, list: .skipIf, rule: $0) }
        let ends = active?.until == nil ? [] : [Way(path: path, list: .until, rule: 0)]
        let own =
            (skips + ends).map { ($0, nil) }
            + navigation.goTo.enumerated().map {
                (Way(path: path, list: .goTo, rule: $0.offset), $0.element.target)
            }
        return own + facts.inner.flatMap { $0.ways(under: path) }
    }
}
