import CPlatform
import Glibc
import Platform
import StudyModel
import TextFormat

/// What a camera's driver offers, and what it is told, through Video4Linux.
///
/// Source: the Linux kernel's include/uapi/linux/videodev2.h and v4l2-controls.h. All numbers are little-endian or of the
/// machine, and the structures have no padding that differs between 32 and 64 bits.
struct CameraDriver {
    /// One call of the driver: the request, and its structure as bytes.
    ///
    /// - Returns: the system's error number, or 0.
    typealias Call = (_ request: Request, _ bytes: inout [UInt8]) -> Int32

    /// A request, with the size of its structure.
    enum Request: UInt {
        case capabilities = 0
        case format = 2
        case setControl = 28
        case control = 36
        case frameSize = 74
        case frameInterval = 75

        /// Bytes.
        var size: Int {
            switch self {
            case .capabilities: 104
            case .format: 64
            case .setControl: 8
            case .control: 68
            case .frameSize: 44
            case .frameInterval: 52
            }
        }

        /// The number of the call: direction, size, `V`, number.
        var code: UInt {
            (self == .capabilities ? 2 : 3) << 30 | UInt(size) << 16 | UInt(UInt8(ascii: "V")) << 8 | rawValue
        }
    }

    private let call: Call
    /// The camera's path, for messages.
    private let path: String

    init(at path: String, call: @escaping Call) { (self.path, self.call) = (path, call) }

    /// The kernel's numbers of what can be set.
    private enum Control {
        static let exposure: UInt32 = 0x009A_0901
        static let lock: UInt32 = 0x009A_091B
        static let lamp: UInt32 = 0x009C_0901
    }

    /// Manual exposure keeps the time that the automatic one had last.
    private static let manualExposure: Int32 = 1
    private static let exposureLock: Int32 = 1
    private static let (lampOff, torch): (Int32, Int32) = (0, 2)
    private static let videoCapture: UInt32 = 1
    private static let mostEntries = 256

    /// - Returns: `nil` if it takes no pictures.
    func offer() -> CameraOffer? {
        var bytes = [UInt8](repeating: 0, count: Request.capabilities.size)
        guard call(.capabilities, &bytes) == 0 else { return nil }
        let all = word(bytes, 84)
        // If the highest bit is set, the next word is about this device rather than the whole card.
        guard (all >> 31 == 1 ? word(bytes, 88) : all) & Self.videoCapture != 0 else { return nil }
        return CameraOffer(
            path: path, name: text(bytes, 16, 32), modes: modes(),
            locksExposure: has(Control.exposure) || has(Control.lock), hasTorch: hasTorch)
    }

    private func has(_ control: UInt32) -> Bool { range(of: control) != nil }

    private var hasTorch: Bool { range(of: Control.lamp).map { $0.contains(Self.torch) } ?? false }

    /// The values of a control; `nil` if there is none.
    private func range(of control: UInt32) -> ClosedRange<Int32>? {
        var bytes = [UInt8](repeating: 0, count: Request.control.size)
        set(&bytes, 0, control)
        guard call(.control, &bytes) == 0 else { return nil }
        let (low, high) = (signed(bytes, 40), signed(bytes, 44))
        let isDisabled = word(bytes, 56) & 1 != 0
        return isDisabled || low > high ? nil : low...high
    }

    private func modes() -> [CameraOffer.Mode] {
        var modes: [CameraOffer.Mode] = []
        for format in entries(.format, prepared: { self.set(&$0, 4, Self.videoCapture) }) {
            let pixels = word(format, 44)
            for size in entries(.frameSize, prepared: { self.set(&$0, 4, pixels) }) {
                for size in sizes(size) {
                    let rates = rates(of: size, pixels)
                    let form = text(format, 44, 4)
                    guard let place = modes.firstIndex(where: { $0.size == size }) else {
                        modes.append(.init(size: size, rates: [form: rates]))
                        continue
                    }
                    modes[place].rates[form, default: []] += rates
                }
            }
        }
        return modes.sorted { ($0.size.width, $0.size.height) < ($1.size.width, $1.size.height) }
    }

    /// Every entry of a list, in the driver's order.
    private func entries(_ request: Request, prepared: (inout [UInt8]) -> Void) -> [[UInt8]] {
        var found: [[UInt8]] = []
        for index in 0..<Self.mostEntries {
            var bytes = [UInt8](repeating: 0, count: request.size)
            set(&bytes, 0, UInt32(index))
            prepared(&bytes)
            guard call(request, &bytes) == 0 else { break }
            found.append(bytes)
            // A range of sizes or intervals is the only entry.
            if request == .frameSize, word(bytes, 8) != 1 { break }
            if request == .frameInterval, word(bytes, 16) != 1 { break }
        }
        return found
    }

    /// The sizes of an entry: one, or the usual ones within its range.
    private func sizes(_ bytes: [UInt8]) -> [CameraSettings.Size] {
        guard word(bytes, 8) != 1 else {
            return [CameraSettings.Size(width: Int(word(bytes, 12)), height: Int(word(bytes, 16)))]
        }
        let (width, height) = (12, 24)
        func fits(_ side: Int, _ start: Int) -> Bool {
            let (low, high, step) = (
                Int(word(bytes, start)), Int(word(bytes, start + 4)), max(1, Int(word(bytes, start + 8)))
            )
            return low <= side && side <= high && (side - low) % step == 0
        }
        let low = CameraSettings.Size(width: Int(word(bytes, width)), height: Int(word(bytes, height)))
        let high = CameraSettings.Size(
            width: Int(word(bytes, width + 4)), height: Int(word(bytes, height + 4)))
        let usual = CameraOffer.usualSizes.filter { fits($0.width, width) && fits($0.height, height) }
        return [low] + usual.filter { $0 != low && $0 != high } + (high == low ? [] : [high])
    }

    /// Pictures a second of one size and form, the most first.
    private func rates(of size: CameraSettings.Size, _ pixels: UInt32) -> [Double] {
        let found = entries(.frameInterval) { bytes in
            self.set(&bytes, 4, pixels)
            self.set(&bytes, 8, UInt32(size.width))
            self.set(&bytes, 12, UInt32(size.height))
        }
        return found.flatMap { bytes -> [Double] in
            func rate(_ place: Int) -> Double {
                let (numerator, denominator) = (word(bytes, place), word(bytes, place + 4))
                return numerator > 0
                    ? (Double(denominator) / Double(numerator) * 1000).rounded() / 1000 : 0
            }
            let (fastest, slowest) = (rate(20), rate(28))
            guard word(bytes, 16) != 1 else { return [fastest].filter { $0 > 0 } }
            let usual = CameraOffer.usualRates.filter { slowest < $0 && $0 < fastest }
            return [fastest] + usual + (slowest > 0 && slowest != fastest ? [slowest] : [])
        }.sorted(by: >)
    }

    private func word(_ bytes: [UInt8], _ place: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << (8 * UInt32($1)) }
    }

    private func signed(_ bytes: [UInt8], _ place: Int) -> Int32 { Int32(bitPattern: word(bytes, place)) }

    private func set(_ bytes: inout [UInt8], _ place: Int, _ number: UInt32) {
        for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: number >> (8 * UInt32(index))) }
    }

    private func text(_ bytes: [UInt8], _ place: Int, _ count: Int) -> String {
        let characters = bytes[place..<place + count].prefix { $0 != 0 }
        return printable(String(decoding: characters, as: UTF8.self))
    }
}

extension CameraDriver {
    /// Checks that the driver offers the settings, and locks the exposure and switches the lamp.
    ///
    /// - Returns: the form of the pictures as ffmpeg calls it, if a certain one must be asked for.
    /// - Throws: what the driver refuses, and what it offers instead.
    func apply(_ settings: CameraSettings) throws(SourceFailure) -> String? {
        guard !settings.isEmpty else { return nil }
        guard let offer = offer() else {
            throw SourceFailure("\(quoted(path)) is no camera that takes pictures")
        }
        let form = try offer.form(for: settings)
        if settings.locksExposure {
            guard offer.locksExposure else {
                throw SourceFailure("the camera \(quoted(path)) cannot lock its exposure: leave it out")
            }
            let isLocked =
                has(Control.lock) && set(Control.lock, to: Self.exposureLock) == 0
                || has(Control.exposure) && set(Control.exposure, to: Self.manualExposure) == 0
            guard isLocked else {
                throw SourceFailure("the camera \(quoted(path)) refuses to lock its exposure")
            }
        }
        if let torch = settings.torch {
            // A camera without a lamp is dark already.
            guard offer.hasTorch || !torch else {
                throw SourceFailure("the camera \(quoted(path)) has no torch: leave it out, and use a lamp")
            }
            let code = offer.hasTorch ? set(Control.lamp, to: torch ? Self.torch : Self.lampOff) : 0
            guard code == 0 else {
                throw SourceFailure(
                    "the camera \(quoted(path)) refuses to switch its torch: \(systemMessage(code))")
            }
        }
        return form
    }

    private func set(_ control: UInt32, to value: Int32) -> Int32 {
        var bytes = [UInt8](repeating: 0, count: Request.setControl.size)
        set(&bytes, 0, control)
        set(&bytes, 4, UInt32(bitPattern: value))
        return call(.setControl, &bytes)
    }
}

extension CameraDriver {
    /// Asks the driver of a device.
    ///
    /// - Returns: `nil` if the device cannot be opened.
    static func asking<Value, Failure: Error>(
        _ path: String, _ work: (CameraDriver) throws(Failure) -> Value
    ) throws(Failure) -> Value? {
        let descriptor = unsafe open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return try work(
            CameraDriver(at: path) { request, bytes in
                // SAFETY: the bytes are as many as the request's number says.
                unsafe bytes.withUnsafeMutableBytes {
                    unsafe entrain_ask_driver(descriptor, request.code, $0.baseAddress)
                }
            })
    }
}
