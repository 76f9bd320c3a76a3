import Hashing
package import StudyModel

extension Study {
    /// The minutes of the day, both ends included, in which a session may begin for a participant; `nil` for any.
    ///
    /// - Parameter number: of the session, from 1.
    package func opening(ofSession number: Int, for participant: String) -> ClosedRange<Int>? {
        guard let session = session(numbered: number), let between = session.between else { return nil }
        guard let moment = moment(ofSession: number, for: participant, seed: 0) else { return between }
        return moment.minute...(moment.minute + moment.open - 1)
    }

    /// The draw of the moment at which a session opens; `nil` if it is open during all of its times.
    func momentDraw(ofSession number: Int, for participant: String, seed: UInt64) -> Draw? {
        guard let moment = moment(ofSession: number, for: participant, seed: seed) else { return nil }
        return Draw(
            stream: "moment", method: "uniform",
            pool: [moment.range.lowerBound, moment.range.upperBound].map(Session.time),
            chosen: [Session.time(moment.minute)])
    }

    /// - Parameter seed: used where the study has none, which `check` refuses: whoever waits for the moment knows only the
    ///   study's.
    private func moment(
        ofSession number: Int, for participant: String, seed: UInt64
    ) -> (minute: Int, open: Int, range: ClosedRange<Int>)? {
        guard let session = session(numbered: number), let between = session.between,
            let open = session.openFor, open <= between.upperBound - between.lowerBound
        else { return nil }
        let text = RunPlan.streamText(
            identifier, seed: self.seed ?? seed, participant: participant, session: "\(number)", "moment")
        var random = SplitMix64(seed: SHA256.streamSeed(of: text))
        let range = between.lowerBound...(between.upperBound - open)
        return (range.lowerBound + random.index(below: range.count), open, range)
    }
}
