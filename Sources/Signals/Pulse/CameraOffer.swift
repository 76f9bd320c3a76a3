import Glibc
package import StudyModel
import TextFormat

/// What a camera's driver offers.
package struct CameraOffer: Hashable, Sendable {
    /// Such as `/dev/video0`.
    package var path: String
    /// What the driver calls it.
    package var name: String
    /// By size.
    package var modes: [Mode]
    /// Whether its exposure can be kept as it is.
    package var locksExposure: Bool
    /// Whether it has a lamp that can shine all the time.
    package var hasTorch: Bool

    /// The pictures of one size.
    package struct Mode: Hashable, Sendable {
        package var size: CameraSettings.Size
        /// For each form of pixels, such as `YUYV` or `MJPG`, its pictures a second.
        var rates: [String: [Double]]

        /// Pictures a second, the most first.
        package var allRates: [Double] { Set(rates.values.joined()).sorted(by: >) }

        package var words: String {
            let told = allRates.map(Self.word)
            return "\(size)" + (told.isEmpty ? "" : " at \(told.joined(separator: ", ")) a second")
        }

        fileprivate static func word(_ rate: Double) -> String {
            rate == rate.rounded() ? "\(Int(rate))" : "\(rate)"
        }
    }

    /// The cameras of this machine, by their numbers.
    package static func all() -> [CameraOffer] {
        var found: [CameraOffer] = []
        for number in 0..<64 {
            if let offer = CameraDriver.asking("/dev/video\(number)", { $0.offer() }) ?? nil {
                found.append(offer)
            }
        }
        return found
    }

    /// Sizes and rates that are named where a driver offers a range of them.
    static let usualSizes = [
        (320, 240), (640, 480), (1280, 720), (1920, 1080),
    ].map { CameraSettings.Size(width: $0.0, height: $0.1) }
    static let usualRates = [60.0, 30, 25, 15, 10]

    /// The form of the pictures for ffmpeg; `nil` if it may choose.
    ///
    /// - Throws: if no form has such pictures.
    func form(for settings: CameraSettings) throws(SourceFailure) -> String? {
        let sized = modes.filter { settings.size == nil || settings.size == $0.size }
        func isRate(_ rate: Double) -> Bool { settings.rate.map { abs($0 - rate) < 0.01 * $0 } ?? true }
        let forms = sized.flatMap { mode in
            mode.rates.filter { settings.rate == nil || $0.value.contains(where: isRate) }.keys
        }
        guard !forms.isEmpty || settings.size == nil && settings.rate == nil else {
            let wanted = [
                settings.size.map { "of \($0)" }, settings.rate.map { "at \(Mode.word($0)) a second" },
            ].compactMap { $0 }
            throw SourceFailure(
                "the camera \(quoted(path)) offers no pictures \(wanted.joined(separator: " ")), only "
                    + modes.map(\.words).joined(separator: "; "))
        }
        guard settings.size != nil || settings.rate != nil else { return nil }
        return ["YUYV", "MJPG", "NV12"].first(where: forms.contains).flatMap { Self.names[$0] }
    }

    /// What ffmpeg calls forms of pixels.
    private static let names = ["YUYV": "yuyv422", "MJPG": "mjpeg", "NV12": "nv12"]
}
