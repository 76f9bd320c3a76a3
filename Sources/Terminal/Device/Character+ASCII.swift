import TextFormat

extension Character {
    /// The replacement for the character on an ASCII terminal, with the same number of columns.
    var ascii: String {
        if isASCII { return String(self) }
        if let drawn = Self.drawn[self] { return String(drawn) }
        guard let scalar = unicodeScalars.first, (0x2800...0x28FF).contains(scalar.value) else {
            return String(repeating: "?", count: columns)
        }
        switch (scalar.value & 0xFF).nonzeroBitCount {
        case 0: return " "
        case 1...2: return "."
        case 3...5: return ":"
        case _: return "#"
        }
    }

    private static let drawn: [Character: Character] = Dictionary(
        zip(
            "┌┐└┘│├┤▲▼›•●─█▎▌▊░▮▯▀▄♥♪◀▶↑↓←→–—…’‘“”«»· ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝàáâãäåçèéêëìíîïñòóôõöøùúûüýÿŒœ¿¡°−×ß",
            "++++|++^v>*o-####.#-^_*~<>^v<>--.''\"\"\"\". AAAAAACEEEEIIIINOOOOOOUUUUYaaaaaaceeeeiiiinoooooouuuuyyOo?!o-xs"
        )
    ) { first, _ in first }
}
