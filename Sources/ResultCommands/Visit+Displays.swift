import Results
import StudyModel
import TextFormat

extension ResultBundle.Visit {
    /// A line for each cue that was given while a condition held.
    var cueLines: [String] {
        orderedRepeatedCues.map { "    \($0.cue): given \(counted($0.moments.count, "time"))" }
    }

    /// A line for each display of the step.
    var displayLines: [String] {
        let shown = recordings.filter { $0.biofeedback != nil }
        return Dictionary(grouping: shown, by: \.recorder).sorted { $0.key < $1.key }.map { recorder, parts in
            let what = parts.compactMap(\.biofeedback?.name).first ?? ""
            let changes = parts.reduce(0) { $0 + $1.sampleCount }
            return "    \(recorder): showed \(what), \(counted(changes, "change"))"
        }
    }
}
