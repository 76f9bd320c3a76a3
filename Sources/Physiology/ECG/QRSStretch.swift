/// Finds the beats in a stretch of ECG that has no gap.
struct QRSStretch {
    /// A segment with its beats; in samples since the stretch began.
    struct Part {
        var start: Double
        var length: Double
        var quality: Double
        var beats: [Double]
    }

    /// Beats are decided for so long at once, with so much before and after in view; seconds.
    private static let core = 30.0
    private static let context = 15.0
    /// How long a segment is that has a quality; a shorter rest belongs to the one before. Seconds.
    private static let segment = 10.0
    /// From a sample until it is decided on, at most; seconds.
    static let latency = core + context
    /// Of waves nearer than this, only the one with the most energy may be a beat; seconds.
    private static let apart = 0.12

    private let rate: Double
    private var wave: QRSWave
    private var candidates: [QRSCandidate] = []
    /// Where the next decisions begin.
    private var start = 0
    private var last: QRSCandidate?
    /// The highest local maximum of the energy that nothing has exceeded yet.
    private var top: (index: Int, height: Double)?
    private var energies = (before: 0.0, latest: 0.0)
    private var count = 0

    /// - Parameters:
    ///   - rate: samples per second.
    ///   - first: the first sample, which must also be appended.
    init(rate: Double, first: Double) {
        self.rate = rate
        wave = QRSWave(rate: rate, first: first, memory: Self.latency + 2)
    }

    private func samples(_ seconds: Double) -> Int { Int((seconds * rate).rounded()) }

    mutating func append(_ sample: Double) {
        let energy = wave.energy(with: sample)
        if energies.latest > energies.before, energies.latest >= energy, energies.latest > (top?.height ?? 0)
        {
            top = (count - 1, energies.latest)
        }
        if let top, count - top.index >= samples(Self.apart) { take(top) }
        energies = (energies.latest, energy)
        count += 1
    }

    private mutating func take(_ top: (index: Int, height: Double)) {
        self.top = nil
        candidates.append(wave.candidate(at: top.index, height: top.height, rate: rate))
    }

    /// Whether the next half minute can be decided on.
    var isDue: Bool { count > start + samples(Self.latency + 2 * Self.apart) }

    mutating func decide(with lead: inout QRSLead) -> [Part] {
        let end = start + samples(Self.core)
        let found = decide(until: end, with: &lead)
        start = end
        let oldest = end - samples(Self.context)
        candidates.removeAll { $0.index < oldest }
        return found
    }

    /// What was not certain yet, because the stretch ends here.
    mutating func finish(with lead: inout QRSLead) -> [Part] {
        if let top { take(top) }
        return decide(until: count + 1, with: &lead)
    }

    private mutating func decide(until end: Int, with lead: inout QRSLead) -> [Part] {
        let judge = QRSJudge(candidates, from: start, rate: rate)
        lead.learn(
            judge.plain.filter { candidates[$0].index >= start }.map(middle), in: wave.smooth, rate: rate)
        let likeness = candidates.indices.map { place in
            candidates[place].index < start
                ? nil : lead.fit(at: middle(place), in: wave.smooth, rate: rate)?.likeness
        }
        let chain = QRSChain(judge, likeness: likeness, after: last?.index)
        let beats = chain.beats.filter { candidates[$0].index < end }
        last = beats.last.map { candidates[$0] } ?? last
        return parts(until: min(end, count), beats, chain, with: &lead)
    }

    /// The middle of a candidate in the smooth signal.
    private func middle(_ place: Int) -> Int {
        candidates[place].index - Int(wave.energyDelay - wave.smoothDelay)
    }

    private func parts(
        until end: Int, _ beats: [Int], _ chain: QRSChain, with lead: inout QRSLead
    ) -> [Part] {
        var parts: [Part] = []
        var start = start
        while start < end {
            let next = start + samples(Self.segment)
            let stop = end - next < samples(Self.segment / 2) ? end : next
            let inside = candidates.indices.filter { (start..<stop).contains(candidates[$0].index) }
            let found = beats.filter { inside.contains($0) }
            parts.append(
                Part(
                    start: max(0, Double(start) - wave.energyDelay), length: Double(stop - start),
                    quality: chain.quality(
                        of: found, among: inside,
                        alike: lead.likeness(of: found.map(middle), in: wave.smooth, rate: rate)),
                    beats: found.map { place in
                        lead.point(at: middle(place), in: wave.smooth, rate: rate) - wave.smoothDelay
                    }))
            start = stop
        }
        return parts
    }
}
