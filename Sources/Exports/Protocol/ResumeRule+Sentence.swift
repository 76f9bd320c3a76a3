import StudyModel

extension ResumeRule {
    /// For the protocol page.
    var sentence: String {
        switch incomplete {
        case .resume:
            let limit = within.map { ", at most \(ResumeRule.words($0)) after it ended" } ?? ""
            return
                "A run that was left or interrupted may be continued\(limit); what was confirmed is not asked again."
        case .restart: return "A run that was left or interrupted is begun anew."
        case .refuse: return "A run that was left or interrupted is neither continued nor begun anew."
        }
    }
}
