import Physiology
import TextFormat

/// The samples of a stream on the recorder's clock.
extension XDFStream {
    /// A part of a stream in which its sender's clock runs on.
    private struct Piece {
        var samples: ArraySlice<Sample>
        /// Comparisons of the clocks in this part.
        var offsets: [(time: Double, offset: Double)]
    }

    /// A straight line through comparisons of the clocks, with the median slope, so that single bad ones have no effect.
    private struct Line {
        private let first: Double
        private var offset = 0.0
        private var slope = 0.0
        /// The largest distance of a comparison from the line, s.
        private(set) var residual = 0.0

        /// - Parameter known: at least one, in order of time.
        init(_ known: [(time: Double, offset: Double)]) {
            let start = known[0].time
            first = start
            let half = known.count / 2
            let slopes = zip(known.dropFirst(half), known).compactMap { later, earlier in
                later.time > earlier.time
                    ? (later.offset - earlier.offset) / (later.time - earlier.time) : nil
            }
            let slope = half > 0 ? median(slopes) ?? 0 : 0
            self.slope = slope
            offset = median(known.map { $0.offset - slope * ($0.time - start) }) ?? 0
            residual = known.map { abs($0.offset - added(at: $0.time)) }.max() ?? 0
        }

        /// What has to be added to a time of the sender.
        func added(at time: Double) -> Double { offset + slope * (time - first) }
    }

    /// A jump of the sender's clock that is no error of a measurement, s.
    private static let jump = 1.0

    /// The samples, and what was done with their times, in words.
    ///
    /// - Throws: if the sender's clock begins anew where nothing compares it with the recorder's.
    func corrected() throws(RecordingProblem) -> (samples: [Sample], words: [String]) {
        var words: [String] = []
        var all: [Sample] = []
        let pieces = try pieces()
        for piece in pieces {
            guard !piece.offsets.isEmpty else {
                return (
                    samples,
                    ["times of \(quoted(name)) as its sender gave them: the file has no clock offsets"]
                )
            }
            let line = Line(piece.offsets)
            let place =
                pieces.count > 1
                ? " from chunk \(piece.samples.first?.chunk ?? 0) on, where its clock begins anew" : ""
            words.append(
                "times of \(quoted(name))\(place) corrected by the file's clock offsets, which are at most "
                    + "\(decimals(line.residual, 3)) s off their line")
            let moved = piece.samples.map { sample in
                var sample = sample
                sample.time += line.added(at: sample.time)
                return sample
            }
            if let last = all.last, let next = moved.first, next.time < last.time - Self.jump {
                throw beginsAnew(at: next.chunk, "its clock offsets put what follows before what comes first")
            }
            all += moved
        }
        return (all, words)
    }

    /// The samples on the recorder's clock; what was done is said of the file once.
    func times(into found: inout FoundSignals) throws(RecordingProblem) -> [Sample] {
        let (samples, words) = try corrected()
        found.assumptions += words.filter { !found.assumptions.contains($0) }
        return samples
    }

    private func beginsAnew(at chunk: Int, _ reason: String) -> RecordingProblem {
        RecordingProblem(
            "the clock of the stream \(quoted(name)) begins anew at chunk \(chunk), as after a restart of its sender, and "
                + "\(reason): cut the recording there, and read each part")
    }

    /// The parts of the stream, cut where its sender's clock falls back, and where its offsets jump and stay away.
    private func pieces() throws(RecordingProblem) -> [Piece] {
        var offsets = offsetPieces[...]
        var pieces: [Piece] = []
        var start = 0
        func distance(_ time: Double, _ piece: [(time: Double, offset: Double)]?) -> Double {
            guard let first = piece?.first?.time, let last = piece?.last?.time else { return .infinity }
            return max(first - time, time - last, 0)
        }
        for index in samples.indices {
            let time = samples[index].time
            let falls = index > 0 && time < samples[index - 1].time - Self.jump
            let isNearer =
                offsets.count > 1 && distance(time, offsets.dropFirst().first) < distance(time, offsets.first)
            guard falls || isNearer else { continue }
            guard offsets.count > 1 else {
                throw beginsAnew(
                    at: samples[index].chunk, "nothing compares its new clock with the recorder's")
            }
            if index > start {
                pieces.append(Piece(samples: samples[start..<index], offsets: offsets.removeFirst()))
            }
            start = index
        }
        return pieces + [Piece(samples: samples[start...], offsets: offsets.first ?? [])]
    }

    /// The comparisons of the clocks in the file's order, cut where the sender's clock falls back or jumps, which single
    /// bad ones do not.
    private var offsetPieces: [[(time: Double, offset: Double)]] {
        let known = offsets.filter { $0.time.isFinite && $0.offset.isFinite }
        func stays(_ first: Int, _ last: Int) -> Bool {
            !known.indices.contains(first) || !known.indices.contains(last)
                || abs(known[first].offset - known[last].offset) <= Self.jump
        }
        var pieces: [[(time: Double, offset: Double)]] = []
        for index in known.indices {
            let isCut =
                index > 0
                && (known[index].time < known[index - 1].time - Self.jump
                    || abs(known[index].offset - known[index - 1].offset) > Self.jump
                        && known.indices.contains(index - 2) && known.indices.contains(index + 1)
                        && stays(index - 2, index - 1) && stays(index, index + 1))
            if isCut || pieces.isEmpty { pieces.append([]) }
            pieces[pieces.count - 1].append(known[index])
        }
        return pieces
    }
}
