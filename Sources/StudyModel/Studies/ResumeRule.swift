/// What a study says about runs that did not come to their end.
public struct ResumeRule: Hashable, Sendable {
    /// What is done about a session that is incomplete.
    public var incomplete: Incomplete
    /// How long after its end a run may be continued; `nil` sets no limit.
    public var within: Duration?

    /// What is done about a session that is incomplete.
    public enum Incomplete: String, Hashable, Sendable, CaseIterable {
        /// It may be continued.
        case resume
        /// It is begun anew.
        case restart
        /// Neither, unless somebody gives a reason.
        case refuse
    }

    /// A rule, without a limit of time unless one is given.
    public init(_ incomplete: Incomplete, within: Duration? = nil) {
        (self.incomplete, self.within) = (incomplete, within)
    }

    /// A limit in the greatest unit that needs no fraction: `3 days`, `24 h`, `90 min`, `0.5 min`.
    package static func words(_ within: Duration) -> String {
        let minutes = within / .seconds(60)
        guard minutes.rounded() == minutes else { return "\(minutes) min" }
        let whole = Int(minutes)
        if whole >= 2_880, whole.isMultiple(of: 1_440) { return "\(whole / 1_440) days" }
        return whole.isMultiple(of: 60) ? "\(whole / 60) h" : "\(whole) min"
    }
}

extension FinishReason {
    /// Whether a run that ended so may be continued, where the study allows it: not if the participant came to an end,
    /// or left for good.
    package var mayBeContinued: Bool {
        switch self {
        case .failed, .saved, .earlyTermination: true
        case .completed, .discarded, .declined, .ended: false
        }
    }
}
