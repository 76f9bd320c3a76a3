/// Reads the control changes among the bytes of a MIDI 1.0 device.
///
/// A status byte counts for all following data until another comes (running status). Real-time bytes may stand
/// anywhere, even within a message; system messages end the running status.
struct ControlChangeDecoder: Hashable, Sendable {
    /// The channel that counts, 1...16; `nil` for all.
    let channel: Int?
    private var status: UInt8?
    private var data: [UInt8] = []

    init(channel: Int? = nil) { self.channel = channel }

    /// - Parameter bytes: as they came, however they were split.
    /// - Returns: each change of a controller, in order.
    mutating func decode(_ bytes: some Collection<UInt8>) -> [ControlReport] {
        var reports: [ControlReport] = []
        for byte in bytes {
            switch byte {
            case 0xF8...: continue
            case 0xF0...: (status, data) = (nil, [])
            case 0x80...: (status, data) = (byte, [])
            default:
                guard let status else { continue }
                data.append(byte)
                let kind = status & 0xF0
                guard data.count == (kind == 0xC0 || kind == 0xD0 ? 1 : 2) else { continue }
                if kind == 0xB0, channel.map({ $0 == Int(status & 0x0F) + 1 }) != false {
                    reports.append(ControlReport(values: [Int(data[0]): Int(data[1])]))
                }
                data = []
            }
        }
        return reports
    }
}
