package import Physiology
package import Platform
package import Results

extension TapSummary.Tap {
    package init(_ tap: ResultBundle.Tap) {
        self.init(time: tap.runOffset, beat: .init(asynchrony: tap.asynchrony, phase: tap.phase))
    }
}

extension ResultBundle.Visit {
    /// What was tapped during the visit; `nil` if no taps were recorded.
    ///
    /// - Parameter stretches: the taps, apart where a pause was between them.
    package func taps(_ stretches: [[TapSummary.Tap]]) -> TapSummary? {
        recordings.contains { $0.taps != nil } ? TapSummary(stretches) : nil
    }
}

extension ResultBundle {
    /// The taps of a visit, apart where a pause was between them.
    package func taps(of visit: Visit) throws(FileFailure) -> [[TapSummary.Tap]] {
        var stretches: [[TapSummary.Tap]] = []
        for recording in visit.recordings where recording.taps != nil {
            stretches.append(try recordedItems(in: recording).taps.map(TapSummary.Tap.init))
        }
        return stretches
    }
}
