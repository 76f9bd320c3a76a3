/// One picture of a camera on which a fingertip lies, with what was found in it.
public struct PulseFrame: Hashable, Sendable {
    /// Mean intensity of the picture's red, 0...255.
    public var red: Double
    /// Mean intensity of the picture's green, 0...255.
    public var green: Double
    /// Mean intensity of the picture's blue, 0...255.
    public var blue: Double
    /// The band-passed signal in steps of intensity, pulse waves upwards; 0 where `quality` is 0.
    public var filtered: Double
    /// Beats from this picture to the next: how many seconds after this one, ascending; nearly always none or
    /// one.
    public var beats: [Double]
    /// How alike the pulse waves around it are, 0...1; 0 where there was nothing to see.
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
