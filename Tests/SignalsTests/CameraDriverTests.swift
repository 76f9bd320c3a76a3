import Glibc
import SessionPorts
import StudyModel
import Testing

@testable import Signals

/// A driver that answers with bytes as the kernel lays them out.
private final class FakeDriver {
    /// Pixels, and for each of their sizes the intervals between pictures, s.
    struct Form {
        var pixels: String
        var description = ""
        var sizes: [(width: UInt32, height: UInt32, intervals: [(UInt32, UInt32)])]
    }

    var forms: [Form] = []
    /// Values of controls: lowest and highest.
    var controls: [UInt32: (Int32, Int32)] = [:]
    var capabilities: UInt32 = 1
    /// Size and interval of a driver that has ranges: lowest, highest, step.
    var range: (width: [UInt32], height: [UInt32], slow: (UInt32, UInt32), fast: (UInt32, UInt32))?
    private(set) var settings: [UInt32: Int32] = [:]
    var refuses = false

    func camera(_ path: String = "/dev/video0") -> CameraDriver {
        CameraDriver(at: path) { self.answer($0, &$1) }
    }

    private static func code(_ text: String) -> UInt32 {
        text.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    private func answer(_ request: CameraDriver.Request, _ bytes: inout [UInt8]) -> Int32 {
        func word(_ place: Int) -> UInt32 {
            (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << (8 * UInt32($1)) }
        }
        func put(_ place: Int, _ words: UInt32...) {
            for (index, word) in words.enumerated() {
                for byte in 0..<4 {
                    bytes[place + 4 * index + byte] = UInt8(truncatingIfNeeded: word >> (8 * UInt32(byte)))
                }
            }
        }
        func put(_ place: Int, _ text: String) {
            for (index, byte) in text.utf8.enumerated() { bytes[place + index] = byte }
        }
        #expect(bytes.count == request.size)
        switch request {
        case .capabilities:
            put(0, "uvcvideo")
            put(16, "Finger Cam")
            put(84, 0x8000_0001, capabilities)
        case .format:
            #expect(word(4) == 1)
            guard word(0) < forms.count else { return EINVAL }
            put(12, forms[Int(word(0))].description)
            put(44, Self.code(forms[Int(word(0))].pixels))
        case .frameSize:
            guard let form = forms.first(where: { Self.code($0.pixels) == word(4) }) else { return EINVAL }
            if let range {
                guard word(0) == 0 else { return EINVAL }
                put(8, 3)
                put(12, range.width[0], range.width[1], range.width[2])
                put(24, range.height[0], range.height[1], range.height[2])
                return 0
            }
            guard word(0) < form.sizes.count else { return EINVAL }
            let size = form.sizes[Int(word(0))]
            put(8, 1, size.width, size.height)
        case .frameInterval:
            if let range {
                guard word(0) == 0 else { return EINVAL }
                put(16, 2, range.fast.0, range.fast.1, range.slow.0, range.slow.1)
                return 0
            }
            let form = forms.first { Self.code($0.pixels) == word(4) }
            guard let size = form?.sizes.first(where: { ($0.width, $0.height) == (word(8), word(12)) }),
                word(0) < size.intervals.count
            else { return EINVAL }
            let interval = size.intervals[Int(word(0))]
            put(16, 1, interval.0, interval.1)
        case .control:
            guard let (low, high) = controls[word(0)] else { return EINVAL }
            put(40, UInt32(bitPattern: low), UInt32(bitPattern: high))
        case .setControl:
            guard controls[word(0)] != nil, !refuses else { return EBUSY }
            settings[word(0)] = Int32(bitPattern: word(4))
        }
        return 0
    }

    /// A webcam as most are: large pictures are fast only if they are packed.
    static var webcam: FakeDriver {
        let driver = FakeDriver()
        driver.forms = [
            Form(pixels: "YUYV", sizes: [(640, 480, [(1, 30), (1, 15)]), (1280, 720, [(1, 10)])]),
            Form(pixels: "MJPG", sizes: [(640, 480, [(1, 30)]), (1280, 720, [(1, 30), (1001, 30000)])]),
        ]
        driver.controls = [0x009A_0901: (0, 3), 0x009C_0901: (0, 2)]
        return driver
    }
}

@Suite struct CameraDriverTests {
    private func settings(_ size: String? = nil, rate: Double? = nil) -> CameraSettings {
        CameraSettings(size: size.flatMap { CameraSettings.Size($0) }, rate: rate)
    }

    @Test func `requests have the kernel's numbers`() {
        // As /usr/include/linux/videodev2.h makes them on x86 and ARM.
        let numbers: [(CameraDriver.Request, UInt)] = [
            (.capabilities, 0x8068_5600), (.format, 0xC040_5602), (.setControl, 0xC008_561C),
            (.control, 0xC044_5624), (.frameSize, 0xC02C_564A), (.frameInterval, 0xC034_564B),
        ]
        for (request, number) in numbers { #expect(request.code == number, "\(request)") }
    }

    @Test func `sizes, rates, exposure lock and torch are what the driver answers`() throws {
        let offer = try #require(FakeDriver.webcam.camera().offer())
        #expect(offer.name == "Finger Cam" && offer.path == "/dev/video0")
        #expect(
            offer.modes.map(\.words) == [
                "640x480 at 30, 15 a second", "1280x720 at 30, 29.97, 10 a second",
            ])
        #expect(offer.locksExposure && offer.hasTorch)
    }

    @Test func `a driver with ranges is told by its ends and the usual values between`() throws {
        let driver = FakeDriver.webcam
        driver.range = ([160, 1920, 16], [120, 1080, 8], slow: (1, 5), fast: (1, 60))
        driver.controls = [0x009C_0901: (0, 1)]
        let offer = try #require(driver.camera().offer())
        #expect(
            offer.modes.map { "\($0.size)" } == ["160x120", "320x240", "640x480", "1280x720", "1920x1080"])
        #expect(offer.modes[0].allRates == [60, 30, 25, 15, 10, 5])
        #expect(!offer.locksExposure && !offer.hasTorch)
    }

    @Test func `what takes no pictures is no camera`() {
        let driver = FakeDriver.webcam
        driver.capabilities = 0x0080_0000
        #expect(driver.camera().offer() == nil)
    }

    @Test func `a form of pixels is chosen that has the size and the rate`() throws {
        let offer = try #require(FakeDriver.webcam.camera().offer())
        #expect(try offer.form(for: settings("640x480", rate: 30)) == "yuyv422")
        #expect(try offer.form(for: settings("1280x720", rate: 30)) == "mjpeg")
        #expect(try offer.form(for: settings("1280x720", rate: 10)) == "yuyv422")
        #expect(try offer.form(for: settings(rate: 15)) == "yuyv422")
        #expect(try offer.form(for: CameraSettings(locksExposure: true)) == nil)
        let words = VideoFrames.command(
            for: .camera("/dev/video2", settings("1280x720", rate: 30)), form: "mjpeg")
        let start = try #require(words.firstIndex(of: "v4l2"))
        #expect(
            words[start...].starts(with: [
                "v4l2", "-input_format", "mjpeg", "-video_size", "1280x720", "-framerate", "30.0", "-i",
                "/dev/video2",
            ]))
    }

    @Test(arguments: [("800x600", nil), ("640x480", 60), (nil, 120)] as [(String?, Double?)])
    func `what the driver does not offer is refused, with what it offers`(size: String?, rate: Double?) {
        let failure = #expect(throws: SourceFailure.self) {
            try FakeDriver.webcam.camera().apply(settings(size, rate: rate))
        }
        #expect(failure?.isBadData == false)
        #expect(failure?.description.contains("only 640x480 at 30, 15 a second; 1280x720") == true)
    }

    @Test func `the exposure is locked and the torch switched, or the refusal is told`() throws {
        let driver = FakeDriver.webcam
        _ = try driver.camera().apply(CameraSettings(locksExposure: true, torch: true))
        #expect(driver.settings == [0x009A_0901: 1, 0x009C_0901: 2])
        driver.controls[0x009A_091B] = (0, 7)
        _ = try driver.camera().apply(CameraSettings(locksExposure: true, torch: false))
        #expect(driver.settings == [0x009A_0901: 1, 0x009A_091B: 1, 0x009C_0901: 0])
        driver.refuses = true
        for wrong in [CameraSettings(locksExposure: true), CameraSettings(torch: true)] {
            let failure = #expect(throws: SourceFailure.self) { try driver.camera().apply(wrong) }
            #expect(failure?.description.contains("refuses to") == true)
        }
        driver.controls = [:]
        for wrong in [CameraSettings(locksExposure: true), CameraSettings(torch: true)] {
            #expect(throws: SourceFailure.self) { try driver.camera().apply(wrong) }
        }
        // A camera without a lamp is dark already.
        #expect(try driver.camera().apply(CameraSettings(torch: false)) == nil)
    }

    @Test func `a device that cannot be opened is not asked`() {
        #expect(CameraDriver.asking("/nonexistent/video") { $0.offer() } == nil)
        // A device of another kind takes no pictures.
        #expect(CameraDriver.asking("/dev/null") { $0.offer() } == .some(nil))
    }

    @Test func `a size is two sides in pixels`() {
        #expect(CameraSettings.Size("640x480") == CameraSettings.Size(width: 640, height: 480))
        for wrong in ["640", "640x", "0x480", "640x480x3", "640 x 480", "-640x480", "99999x480"] {
            #expect(CameraSettings.Size(wrong) == nil, "\(wrong)")
        }
    }
}
