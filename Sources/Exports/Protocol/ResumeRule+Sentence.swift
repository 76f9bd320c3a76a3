import StudyModel

extension ResumeRule {
    /// For the protocol page.
    var sentence: String {
        switch incomplete {
        case .resume:
            let limit = within.map { ", at most \(Self.words($0)) after it ended" } ?? ""
            return
                "A run that was left or interrupted may be continued\(limit); what was confirmed is not asked again."
        case .restart: return "A run that was left or interrupted is begun anew."
        case .refuse: return "A run that was left or interrupted is neither continued nor begun anew."
        }
    }

    private static func words(_ time: Duration) -> String {
        let minutes = time / .seconds(60)
        if minutes >= 2_880, minutes.remainder(dividingBy: 1_440) == 0 {
            return "\(Int(minutes) / 1_440) days"
        }
        return minutes.remainder(dividingBy: 60) == 0 ? "\(Int(minutes) / 60) h" : "\(minutes) min"
    }
}
