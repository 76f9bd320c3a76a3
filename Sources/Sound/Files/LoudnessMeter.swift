import CLoaded

/// Measures loudness and true peak by EBU R 128 with libebur128.
///
/// The library is loaded when it is first needed, so that no other command pays for it. Without it, only measuring
/// is impossible.
@safe final class LoudnessMeter {
    private let meter: OpaquePointer

    /// Whether this machine can measure loudness.
    static var isThere: Bool { unsafe entrain_loudness_load() == nil }

    /// - Parameter rate: frames per second.
    /// - Returns: `nil` if the library is missing.
    init?(rate: Int) {
        guard Self.isThere, let meter = unsafe entrain_loudness_create(UInt(rate)) else { return nil }
        unsafe self.meter = meter
    }

    deinit { unsafe entrain_loudness_free(meter) }

    /// Takes interleaved stereo in.
    func add(_ samples: [Float]) { unsafe entrain_loudness_add(meter, samples, samples.count / 2) }

    /// LUFS; `nil` if there was nothing but silence.
    var loudness: Double? {
        let value = unsafe entrain_loudness_integrated(meter)
        return value.isFinite ? value : nil
    }

    /// The true peak, 1 at full scale.
    var peak: Double { unsafe entrain_loudness_peak(meter) }
}
