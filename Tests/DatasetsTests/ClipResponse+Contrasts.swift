import Physiology

@testable import Analysing
@testable import Datasets

extension ClipResponse {
    /// A response whose rest and change are known.
    init(
        _ participant: String, place: Int, clip: String, before: String?, rest: Double, change: Double
    ) throws {
        let rates = { (start: Double, rate: Double) in (0..<20).map { (start + Double($0) + 0.5, rate) } }
        self.init(
            participant: participant, run: participant, session: 1, place: place,
            before: before.map { HeardClip(name: $0) }, step: "listen", visit: place, clip: clip,
            heartRate: try HeartRateResponse(
                rest: .init(rates: rates(0, rest)), restEnd: 20,
                stretch: .init(rates: rates(20, rest + change)), start: 20))
    }
}
