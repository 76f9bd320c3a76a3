/// A number or a time in digits three lines high.
///
/// - Returns: three lines; empty if the text contains anything but digits and colons.
func bigDigits(_ text: String) -> [String] {
    /// Five rows of three dots, each an octal digit.
    let shapes: [Character: [UInt8]] = [
        "0": [7, 5, 5, 5, 7], "1": [2, 6, 2, 2, 7], "2": [7, 1, 7, 4, 7], "3": [7, 1, 7, 1, 7],
        "4": [5, 5, 7, 1, 1],
        "5": [7, 4, 7, 1, 7], "6": [7, 4, 7, 5, 7], "7": [7, 1, 1, 1, 1], "8": [7, 5, 7, 5, 7],
        "9": [7, 5, 7, 1, 7],
        ":": [0, 2, 0, 2, 0],
    ]
    guard text.allSatisfy({ shapes[$0] != nil }) else { return [] }
    return (0..<3).map { row in
        text.compactMap { shapes[$0] }.map { halfBlocks($0, row) }.joined(separator: " ")
    }
}

private func halfBlocks(_ shape: [UInt8], _ row: Int) -> String {
    let lower = row < 2 ? shape[row * 2 + 1] : 0
    var text = ""
    for bit: UInt8 in [4, 2, 1] {
        switch (shape[row * 2] & bit != 0, lower & bit != 0) {
        case (true, true): text += "█"
        case (true, false): text += "▀"
        case (false, true): text += "▄"
        case (false, false): text += " "
        }
    }
    return text
}
