import StudyModel
import TextFormat

extension EDFHeader {
    /// Reads the header from a file.
    init(reading input: inout RecordedInput) throws(SourceFailure) {
        let fixed = try input.beginning(256)
        let count = Int(String(decoding: fixed.suffix(4), as: UTF8.self).filter { $0 != " " }) ?? 0
        let bytes = try input.next(256 * (count + 1))
        self = try naming(input.name) { () throws(RecordingProblem) in
            guard bytes.count == 256 * (count + 1) else {
                throw RecordingProblem("the file ends in its header")
            }
            return try EDFHeader(bytes)
        }
    }

    /// Samples of a signal in a second.
    func perSecond(_ signal: Signal) -> Double {
        Double(signal.sampleCount) / max(recordDuration, 1e-9)
    }

    /// Passes on each data record with its number, from 0.
    ///
    /// - Returns: where the file is damaged, if it is.
    func eachRecord(
        of input: inout RecordedInput, _ take: ([UInt8], Int) -> Void
    ) throws(SourceFailure) -> String? {
        var index = 0
        while true {
            let record = try input.next(recordSize)
            guard record.count == recordSize else {
                guard let told = recordCount, index < told else {
                    return record.isEmpty ? nil : "the file ends within data record \(index + 1)"
                }
                return "the file ends after \(index) of \(told) data records"
            }
            if let recordCount, index >= recordCount {
                return
                    "the file goes on after the \(recordCount) data records that its header says: only these were read"
            }
            take(record, index)
            index += 1
        }
    }

    /// A sample of a signal in its unit.
    func value(_ index: Int, of signal: Signal, in record: [UInt8]) -> Double {
        let place = signal.offset + index * width
        let stored =
            width == 2
            ? Int(record.littleEndian(Int16.self, at: place))
            : Int(record.littleEndian(UInt16.self, at: place))
                | Int(Int8(truncatingIfNeeded: Int(record[place + 2]))) << 16
        let share =
            (Double(stored) - signal.stored.lowerBound)
            / (signal.stored.upperBound - signal.stored.lowerBound)
        return signal.physical.low + share * (signal.physical.high - signal.physical.low)
    }

    /// When a record of EDF+ begins, from its first annotation: `+12.5` and two bytes.
    func onset(in record: [UInt8]) -> Double? {
        guard let signal = signals.first(where: \.isAnnotation) else { return nil }
        let bytes = record[signal.offset..<signal.offset + signal.sampleCount * width]
        guard let end = bytes.firstIndex(of: 0x14), end - bytes.startIndex < 40 else { return nil }
        return Double(String(decoding: bytes[..<end], as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
    }
}
