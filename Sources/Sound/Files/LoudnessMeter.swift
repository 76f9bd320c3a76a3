import Glibc

/// Measures loudness and true peak by EBU R 128 with libebur128.
///
/// The library is loaded when it is first needed, so that no other command pays for it. Without it, only measuring
/// is impossible.
@safe final class LoudnessMeter {
    /// The library's functions, as ebur128.h declares them.
    @safe private struct Library {
        typealias Make = @convention(c) (UInt32, UInt, Int32) -> OpaquePointer?
        typealias Free = @convention(c) (UnsafeMutablePointer<OpaquePointer?>) -> Void
        typealias Add = @convention(c) (OpaquePointer, UnsafePointer<Float>, Int) -> Int32
        typealias Loudness = @convention(c) (OpaquePointer, UnsafeMutablePointer<Double>) -> Int32
        typealias Peak = @convention(c) (OpaquePointer, UInt32, UnsafeMutablePointer<Double>) -> Int32

        let make: Make
        let free: Free
        let add: Add
        let loudness: Loudness
        let peak: Peak

        init?() {
            guard let handle = unsafe dlopen("libebur128.so.1", RTLD_NOW | RTLD_LOCAL),
                let make = unsafe dlsym(handle, "ebur128_init"),
                let free = unsafe dlsym(handle, "ebur128_destroy"),
                let add = unsafe dlsym(handle, "ebur128_add_frames_float"),
                let loudness = unsafe dlsym(handle, "ebur128_loudness_global"),
                let peak = unsafe dlsym(handle, "ebur128_true_peak")
            else { return nil }
            unsafe self.make = unsafeBitCast(make, to: Make.self)
            unsafe self.free = unsafeBitCast(free, to: Free.self)
            unsafe self.add = unsafeBitCast(add, to: Add.self)
            unsafe self.loudness = unsafeBitCast(loudness, to: Loudness.self)
            unsafe self.peak = unsafeBitCast(peak, to: Peak.self)
        }
    }

    private static let library = Library()

    /// Whether this machine can measure loudness.
    static var isThere: Bool { library != nil }

    private let library: Library
    private var state: OpaquePointer?
    /// Integrated loudness and true peak of two channels, out of the library's modes.
    private static let mode: Int32 = 1 << 0 | 1 << 2 | 1 << 4 | 1 << 5

    /// - Parameter rate: frames per second.
    /// - Returns: `nil` if the library is missing.
    init?(rate: Int) {
        guard let library = Self.library, let state = unsafe library.make(2, UInt(rate), Self.mode) else {
            return nil
        }
        self.library = library
        unsafe self.state = state
    }

    deinit { unsafe library.free(&state) }

    /// Takes interleaved stereo in.
    func add(_ samples: [Float]) {
        guard let state = unsafe state else { return }
        _ = unsafe library.add(state, samples, samples.count / 2)
    }

    /// LUFS; `nil` if there was nothing but silence.
    var loudness: Double? {
        var value = 0.0
        guard let state = unsafe state, unsafe library.loudness(state, &value) == 0, value.isFinite else {
            return nil
        }
        return value
    }

    /// The true peak, 1 at full scale.
    var peak: Double {
        var highest = 0.0
        for channel in 0..<2 as Range<UInt32> {
            var value = 0.0
            guard let state = unsafe state, unsafe library.peak(state, channel, &value) == 0 else { continue }
            highest = max(highest, value)
        }
        return highest
    }
}
