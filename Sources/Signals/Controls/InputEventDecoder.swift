/// What a control said at once: values by the number of the axis or controller.
struct ControlReport: Hashable, Sendable {
    var values: [Int: Int]
    /// Nanoseconds of the clock that the device uses; `nil` if it gives no times.
    var stamp: Int64?
}

/// Reads the bytes of an input device of Linux: `struct input_event` of a 64-bit kernel (linux/input.h), 24 bytes each.
///
/// Axes that move together come as several events before a report's end, and are passed on together.
struct InputEventDecoder: Hashable, Sendable {
    private var pending: [UInt8] = []
    private var values: [Int: Int] = [:]
    /// Whether the kernel has lost events, so that what comes until the next report's end is no whole.
    private var isDropping = false

    private static let size = 24
    private static let (sync, axis): (UInt16, UInt16) = (0, 3)
    private static let (endOfReport, dropped): (UInt16, UInt16) = (0, 3)

    /// - Parameter bytes: as they came, however they were split.
    mutating func decode(_ bytes: some Collection<UInt8>) -> [ControlReport] {
        pending += bytes
        var reports: [ControlReport] = []
        var start = 0
        while start + Self.size <= pending.count {
            decode(pending[start..<start + Self.size], into: &reports)
            start += Self.size
        }
        pending.removeFirst(start)
        return reports
    }

    private mutating func decode(_ event: ArraySlice<UInt8>, into reports: inout [ControlReport]) {
        let (type, code) = (UInt16(event.number(16, 2)), UInt16(event.number(18, 2)))
        let value = Int(Int32(truncatingIfNeeded: event.number(20, 4)))
        switch (type, code) {
        case (Self.axis, _): values[Int(code)] = value
        case (Self.sync, Self.dropped): isDropping = true
        case (Self.sync, Self.endOfReport):
            if !isDropping, !values.isEmpty {
                let (seconds, microseconds) = (Int64(event.number(0, 8)), Int64(event.number(8, 8)))
                let (stamp, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
                let isTime = !isTooLarge && (0..<1_000_000).contains(microseconds)
                reports.append(
                    ControlReport(values: values, stamp: isTime ? stamp &+ microseconds * 1000 : nil))
            }
            (values, isDropping) = ([:], false)
        case (_, _): break
        }
    }
}

extension ArraySlice<UInt8> {
    /// A number of so many bytes, the lowest first, as every machine has them that this program runs on.
    fileprivate func number(_ offset: Int, _ count: Int) -> Int {
        var number: UInt64 = 0
        for place in (0..<count).reversed() {
            number = number << 8 | UInt64(self[startIndex + offset + place])
        }
        return Int(truncatingIfNeeded: number)
    }
}
