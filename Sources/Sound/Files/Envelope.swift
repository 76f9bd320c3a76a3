import Glibc

/// When a sound is heard, in frames of the output, and how loud.
package struct Envelope: Hashable, Sendable {
    /// The frame of its first sample.
    package let start: Int64
    /// The frame from which it is silent; `nil` if that is not known yet.
    package private(set) var end: Int64?
    private let gain: Float
    /// How the level changes meanwhile, in order.
    private var moves: [Move] = []
    private let fadeIn: Int64
    private var fadeOut: Int64
    /// Whether it fades so that its power and that of a sound which fades the other way add up to the same.
    private let keepsPower: Bool

    /// A change of level, in a straight line of decibels.
    private struct Move: Hashable, Sendable {
        var start: Int64
        var length: Int64
        /// dB.
        var from: Double
        var to: Double

        func gain(at frame: Int64) -> Double {
            guard frame < start + length else { return to }
            return from + (to - from) * Double(max(0, frame - start)) / Double(length)
        }
    }

    /// How long a cut sound takes to become silent, so that the cut does not click, seconds.
    package static let softness = 0.005

    /// - Parameters:
    ///   - start: the frame of the first sample.
    ///   - end: the frame from which it is to be silent, if that is known.
    ///   - gain: dB.
    ///   - fadeIn: frames.
    ///   - fadeOut: frames, before `end`.
    ///   - keepsPower: whether the power of a cross-fade stays the same, rather than the sum of its amplitudes.
    package init(
        start: Int64, end: Int64?, gain: Double, fadeIn: Int64, fadeOut: Int64, keepsPower: Bool = false
    ) {
        self.start = start
        self.end = end.map { max(start, $0) }
        self.gain = gain == 0 ? 1 : Float(pow(10, gain / 20))
        self.fadeIn = fadeIn
        self.fadeOut = fadeOut
        self.keepsPower = keepsPower
    }

    /// Makes the sound silent from a frame on.
    ///
    /// - Parameters:
    ///   - frame: the first silent frame.
    ///   - rendered: frames before this one cannot be changed any more.
    ///   - softness: frames that the fade-out takes.
    package mutating func cut(at frame: Int64, rendered: Int64, softness: Int64) {
        let frame = max(frame, rendered, start)
        if let end, end <= frame { return }
        // A fade that has begun continues from its current level, only faster.
        end = frame
        fadeOut = min(softness, max(0, frame - max(rendered, start)))
    }

    /// Changes the level from a frame on, which is not before the last change.
    ///
    /// - Parameters:
    ///   - gain: dB, besides that of the whole sound.
    ///   - length: frames until the level is reached.
    package mutating func change(to gain: Double, at frame: Int64, within length: Int64) {
        guard gain != moves.last?.to ?? 0 else { return }
        moves.append(
            Move(start: frame, length: length, from: moves.last?.gain(at: frame) ?? 0, to: gain))
    }

    /// Moves the end that the sound has by itself.
    package mutating func end(at frame: Int64) { end = max(start, frame) }

    /// The factor of a frame's samples, 0 outside the sound.
    package func level(at frame: Int64) -> Float {
        guard frame >= start, end.map({ frame < $0 }) != false else { return 0 }
        var level = gain
        if let move = moves.last(where: { $0.start <= frame }) {
            level *= Float(pow(10, move.gain(at: frame) / 20))
        }
        if frame - start < fadeIn { level *= ramp(Float(frame - start) / Float(fadeIn)) }
        if let end, end - frame <= fadeOut {
            level *= ramp(Float(end - frame) / Float(fadeOut + 1), isSoft: fadeOut < fadeIn)
        }
        return level
    }

    /// Whether the level of all these frames is the plain gain.
    package func isSteady(_ frames: Range<Int64>) -> Bool {
        frames.lowerBound >= start + fadeIn
            && !moves.contains { $0.start < frames.upperBound && frames.lowerBound < $0.start + $0.length }
            && (end.map { frames.upperBound <= $0 - fadeOut - 1 } ?? true)
    }

    /// Rises from 0 at 0 to 1 at 1: smooth at both ends, or with a power that does.
    ///
    /// - Parameter isSoft: whether it only keeps a cut from clicking.
    private func ramp(_ x: Float, isSoft: Bool = false) -> Float {
        let wave = sin(x * .pi / 2)
        return keepsPower && !isSoft ? wave : wave * wave
    }
}
