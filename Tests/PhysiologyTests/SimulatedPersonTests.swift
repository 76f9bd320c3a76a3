import Physiology
import StudyTesting
import Testing

private let average = SimulatedHeart.Parameters(
    restingRate: 68, maximumRate: 185, variability: 1, musicResponse: 1.5)

/// What is measured of one participant at rest for five minutes and during a clip of a minute.
private struct Measured {
    var rate: Double
    var sdnn: Double
    var rmssd: Double
    var response: Double
    var spectrum: FrequencyDomain

    init(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let person = SimulatedPerson(using: &random)
        var heart = SimulatedHeart(person.heart(average), startingAt: -30, using: &random)
        _ = heart.beats(until: 0, effort: 0, musicEnergy: 0, using: &random)
        let resting = heart.beats(until: 300, effort: 0, musicEnergy: 0, using: &random)
        let clip = heart.beats(until: 360, effort: 0, musicEnergy: 1, using: &random)
        let time = try #require(HeartRateVariability([resting.map { 1000 * $0.interval }]))
        (rate, sdnn, rmssd) = (time.heartRate, time.sdnn, time.rmssd)
        spectrum = try #require(FrequencyDomain(resting.map { 1000 * $0.interval }))
        let intervals = { (beats: [SimulatedHeart.Beat]) in
            HeartRateResponse.Measured(rates: [], intervals: beats.map { ($0.time, $0.interval) })
        }
        response = try HeartRateResponse(
            rest: intervals(resting), restEnd: 300, stretch: intervals(clip), start: 300
        ).change
    }
}

private func spread(_ values: [Double]) -> (mean: Double, deviation: Double) {
    let mean = values.reduce(0, +) / Double(values.count)
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (mean, (squares / Double(values.count - 1)).squareRoot())
}

@Suite struct SimulatedPersonTests {
    /// Resting rate 68 ± 9 per minute, and a clip's response of +1…+3 with 2.3 between trials: reference of the simulated
    /// participant. SDNN 50 ± 16 ms (32…93) and RMSSD 42 ± 15 ms (19…75): Nunan, Sandercock and Brodie 2010, short-term
    /// recordings of 21 438 healthy adults; the means of single studies lie within the ranges. LF 519 ± 291 ms², HF 657
    /// ± 777 ms² and LF/HF 2.8 ± 2.6: the same.
    @Test func `four hundred participants differ as real ones do`() throws {
        let persons = try (1...400 as ClosedRange<UInt64>).map { try Measured(seed: $0) }
        let (rate, sdnn) = (spread(persons.map(\.rate)), spread(persons.map(\.sdnn)))
        let (rmssd, response) = (spread(persons.map(\.rmssd)), spread(persons.map(\.response)))
        #expect((66...70).contains(rate.mean) && (8...10).contains(rate.deviation))
        #expect((34...66).contains(sdnn.mean) && (10...22).contains(sdnn.deviation))
        #expect((27...57).contains(rmssd.mean) && (10...22).contains(rmssd.deviation))
        #expect((1...3).contains(response.mean) && (1.8...2.8).contains(response.deviation))
        let (lf, hf) = (spread(persons.map(\.spectrum.lf)), spread(persons.map(\.spectrum.hf)))
        #expect((400...650).contains(lf.mean) && (450...850).contains(hf.mean))
        #expect((0.5...5.4).contains(spread(persons.map(\.spectrum.ratio)).mean))
    }

    @Test func `a person is the same whenever the same chance draws them`() {
        var (first, again, other) = (SeededRandom(seed: 5), SeededRandom(seed: 5), SeededRandom(seed: 6))
        let person = SimulatedPerson(using: &first)
        #expect(person == SimulatedPerson(using: &again) && person != SimulatedPerson(using: &other))
    }

    @Test(arguments: [0.0, 1.5])
    func `nobody's heart leaves what a heart can be`(response: Double) {
        var random = SeededRandom(seed: 7)
        var extreme = average
        extreme.restingRate = 40
        extreme.maximumRate = 60
        extreme.musicResponse = response
        for _ in 0..<1000 {
            let heart = SimulatedPerson(using: &random).heart(extreme)
            #expect((40...60).contains(heart.restingRate) && heart.restingRate < heart.maximumRate)
            #expect(heart.variability > 0 && heart.breathing > 0 && heart.drift > 0)
            #expect((0.16...0.38).contains(heart.breathRate))
            #expect(response != 0 || heart.musicResponse == 0)
        }
    }
}
