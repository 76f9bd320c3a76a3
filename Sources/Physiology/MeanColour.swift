/// The mean colour of a picture, each 0...255.
package struct MeanColour: Hashable, Sendable {
    package var red: Double
    package var green: Double
    package var blue: Double

    package init(red: Double, green: Double, blue: Double) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    private typealias Lanes = SIMD16<UInt32>
    /// The sum of this many bytes fits into sixteen bits.
    private static let block = 257

    /// - Parameter picture: pixels of four bytes: blue, green, red and one that is ignored. At least one pixel.
    package init(ofBGRA picture: UnsafeRawBufferPointer) {
        let count = picture.count / 4
        let (stride, mask) = (MemoryLayout<Lanes>.size, Lanes(repeating: 0x00FF_00FF))
        let whole = picture.count / stride
        var (blue, green, red) = (0, 0, 0)
        var next = 0
        while next < whole {
            let end = min(whole, next + Self.block)
            var (outer, inner) = (Lanes.zero, Lanes.zero)
            for index in next..<end {
                let pixels = unsafe picture.loadUnaligned(fromByteOffset: index &* stride, as: Lanes.self)
                outer &+= pixels & mask
                inner &+= (pixels &>> 8) & mask
            }
            let low = Lanes(repeating: 0xFFFF)
            blue += Int((outer & low).wrappedSum())
            red += Int((outer &>> 16).wrappedSum())
            green += Int((inner & low).wrappedSum())
            next = end
        }
        for pixel in whole * stride / 4..<count {
            unsafe blue += Int(picture[4 * pixel])
            unsafe green += Int(picture[4 * pixel + 1])
            unsafe red += Int(picture[4 * pixel + 2])
        }
        self.red = Double(red) / Double(count)
        self.green = Double(green) / Double(count)
        self.blue = Double(blue) / Double(count)
    }
}
