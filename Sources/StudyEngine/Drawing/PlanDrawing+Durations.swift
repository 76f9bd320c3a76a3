import Hashing
import StudyModel

extension PlanDrawing {
    /// The step with its duration drawn, if it has to be drawn.
    mutating func timed(_ step: Step, path: [Identifier], visit: Int) -> Step {
        guard case .active(var active) = step.kind, let choice = active.drawnDuration else { return step }
        let stream = stream("duration", path, visit)
        var random = generator(stream)
        let pool: [Duration]
        let method: String
        switch choice {
        case .uniform(let range):
            pool = [range.lowerBound, range.upperBound]
            method = "uniform"
            let width = range.upperBound.wholeMilliseconds - range.lowerBound.wholeMilliseconds
            active.duration = range.lowerBound + .milliseconds(random.index(below: width + 1))
        case .oneOf(let durations):
            pool = durations
            method = "oneOf"
            active.duration = durations[random.index(below: durations.count)]
        }
        record(
            Draw(
                stream: stream, method: method, pool: pool.map(\.inMilliseconds),
                chosen: [active.duration.inMilliseconds]))
        var step = step
        step.kind = .active(active)
        return step
    }
}

extension Duration {
    fileprivate var wholeMilliseconds: Int { Int(self / .milliseconds(1)) }
    /// The duration in the notation of a study file.
    fileprivate var inMilliseconds: String { "\(wholeMilliseconds) ms" }
}
