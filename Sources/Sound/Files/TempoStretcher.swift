import CLoaded
import StudyModel

/// Changes a sound's tempo and keeps its pitch, with SoundTouch.
///
/// It repeats or leaves out short parts where the sound is most like itself, so what is heard lies at most 10 ms beside
/// the course of the tempo, and on it over time. The library is loaded when it is first needed.
@safe final class TempoStretcher {
    private let stretch: OpaquePointer
    /// How many frames a sequence gives; the first gives fewer.
    private let sequence: Int64
    /// How many frames were given.
    private var given: Int64 = 0
    /// Where in the clip the next sequence begins.
    private var position = 0.0

    /// Whether this machine can change a tempo.
    static var isThere: Bool { unsafe entrain_stretch_load() == nil }

    /// - Parameter rate: frames per second.
    /// - Returns: `nil` if the library is missing.
    init?(rate: Int) {
        guard Self.isThere, let stretch = unsafe entrain_stretch_create(UInt32(rate)) else { return nil }
        unsafe self.stretch = stretch
        sequence = Int64(unsafe entrain_stretch_sequence(stretch))
    }

    deinit { unsafe entrain_stretch_free(stretch) }

    /// Renders one sequence, interleaved stereo.
    ///
    /// - Parameters:
    ///   - course: the tempo; the frames of the sequence are taken as rendered.
    ///   - read: the clip's next frames, with silence behind its end.
    func next(along course: SharedCourse, read: (_ count: Int) -> [Float]) -> [Float] {
        let span = given..<(given + sequence)
        let aim = course.render(span).position(at: span.upperBound)
        // The clip's position is led back to the course with every sequence, so that rounding does not add up.
        let tempo = Float(min(max((aim - position) / Double(sequence), 0.1), 8))
        unsafe entrain_stretch_set(stretch, tempo)
        var ready: UInt32 = 0
        while ready == 0 {
            let frames = read(Self.portion)
            ready = unsafe entrain_stretch_put(stretch, frames, UInt32(frames.count / 2))
        }
        var samples = [Float](repeating: 0, count: Int(ready) * 2)
        let taken = unsafe entrain_stretch_take(stretch, &samples, ready)
        given += Int64(taken)
        position += Double(tempo) * Double(taken)
        return Array(samples.prefix(Int(taken) * 2))
    }

    /// So few frames that they never complete two sequences.
    private static let portion = 64
}
