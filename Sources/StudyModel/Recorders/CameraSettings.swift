/// How a camera takes its pictures. What is not set stays as the camera has it.
public struct CameraSettings: Hashable, Sendable {
    /// The size of a picture.
    public var size: Size?
    /// Pictures a second.
    public var rate: Double?
    /// Whether the exposure stays as it is, instead of following the brightness.
    public var locksExposure: Bool
    /// Whether the camera's lamp shines, or does not.
    public var torch: Bool?

    /// The size of a picture, pixels.
    public struct Size: Hashable, Sendable, CustomStringConvertible {
        public var width: Int
        public var height: Int

        public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

        /// - Parameter text: such as `640x480`; sides of 16 to 16384 pixels.
        /// - Returns: `nil` if it is none.
        public init?(_ text: String) {
            let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
            guard sides.count == 2, sides.allSatisfy((16...16_384).contains) else { return nil }
            self.init(width: sides[0], height: sides[1])
        }

        public var description: String { "\(width)x\(height)" }
    }

    /// Everything stays as the camera has it.
    public init(size: Size? = nil, rate: Double? = nil, locksExposure: Bool = false, torch: Bool? = nil) {
        (self.size, self.rate, self.locksExposure, self.torch) = (size, rate, locksExposure, torch)
    }

    /// Whether anything is set.
    package var isEmpty: Bool { self == CameraSettings() }
}
