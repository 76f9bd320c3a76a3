/// One picture of a fingertip on a camera, with what was measured in it.
public struct PulseFrame: Hashable, Sendable {
    /// Mean intensity of red in the picture, 0...255.
    public var red: Double
    /// Mean intensity of green in the picture, 0...255.
    public var green: Double
    /// Mean intensity of blue in the picture, 0...255.
    public var blue: Double
    /// The band-passed signal in units of intensity, with pulse waves pointing upwards; 0 if `quality` is 0.
    public var filtered: Double
    /// Beats between this picture and the next, in seconds after this one, ascending; nearly always none or one.
    public var beats: [Double]
    /// How similar the pulse waves around it are to each other, 0...1; 0 if no pulse was visible.
    public var quality: Double

    public init(
        red: Double, green: Double, blue: Double, filtered: Double = 0, beats: [Double] = [],
        quality: Double = 0
    ) {
        self.red = red
        self.green = green
        self.blue = blue
        self.filtered = filtered
        self.beats = beats
        self.quality = quality
    }
}
