import SessionPorts
import StudyModel
import StudyTesting
import Testing

@testable import Recordings

private func read(_ text: String) throws -> HeartRateRecording {
    try HeartRateRecording(reading: Array(text.utf8), named: "export.xml")
}

/// Time and rate (-1 where the source has none) of each entry.
private func rows(_ recording: HeartRateRecording) -> [[Double]] {
    recording.entries.map { [$0.time, $0.sample.rate ?? -1] }
}

private func record(_ second: Int, _ value: String, type: String = "HeartRate", unit: String = "count/min")
    -> String
{
    "<Record type=\"HKQuantityTypeIdentifier\(type)\" device=\"&lt;&lt;a&gt;\" unit=\"\(unit)\" "
        + "startDate=\"2024-01-01 01:01:\(second) +0200\" value=\"\(value)\"/>\n"
}

private let health =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE HealthData [\n<!ATTLIST Record\n broken >\n<!ENTITY a \"b\">\n]>\n"
    + "<HealthData locale=\"de\">\n" + record(10, "60") + record(11, "7", type: "StepCount")
    + record(12, "1.05", unit: "count/s")
    + record(13, "0") + record(14, "many") + record(15, "999") + record(10, "60") + "</HealthData>\n"

private let tcx = """
    <?xml version="1.0"?>
    <t:TrainingCenterDatabase xmlns:t="x"><t:Lap><t:AverageHeartRateBpm><t:Value>99</t:Value></t:AverageHeartRateBpm>
    <t:Track>
    <t:Trackpoint><t:Time>2026-01-31T09:00:00Z</t:Time><t:HeartRateBpm><t:Value> 60 </t:Value></t:HeartRateBpm></t:Trackpoint>
    <t:Trackpoint><t:Time>2026-01-31T09:00:01.5Z</t:Time><t:Cadence>80</t:Cadence></t:Trackpoint>
    <t:Trackpoint><t:HeartRateBpm><t:Value>61</t:Value></t:HeartRateBpm><t:Time>2026-01-31T09:00:02Z</t:Time></t:Trackpoint>
    <t:Trackpoint><t:HeartRateBpm><t:Value>-1</t:Value></t:HeartRateBpm><t:Time>2026-01-31T09:00:03Z</t:Time></t:Trackpoint>
    </t:Track></t:Lap></t:TrainingCenterDatabase>
    """

private func gpx(_ rate: String) -> String {
    """
    <gpx><metadata><time>2020-01-01T00:00:00Z</time></metadata><trk><trkseg>
    <trkpt lat="1" lon="2"><time>2026-01-31T09:00:00Z</time><extensions>\(rate)</extensions></trkpt>
    <trkpt lat="1" lon="2"><time>2026-01-31T10:00:02+01:00</time><extensions>\(rate)</extensions></trkpt>
    </trkseg></trk></gpx>
    """
}

@Suite struct XMLRecordingTests {
    @Test(arguments: [
        ("<HealthData>", "<a>", 200_000, "elements"),
        ("<gpx>", "<a>", 200_000, "elements"),
        ("<HealthData><Record a=\"", "x", 12_000_000, "something longer than 4 MiB"),
        ("<gpx><!--", "x", 12_000_000, "something longer"), ("<gpx><", "x", 12_000_000, "something longer"),
    ])
    func `gives up early what would take ever more memory`(
        start: String, more: String, count: Int, words: String
    ) {
        let failure = #expect(throws: SourceFailure.self) {
            try read(start + String(repeating: more, count: count))
        }
        #expect(failure?.description.contains(words) == true, "\(failure?.description ?? "")")
    }

    @Test func `takes a long text between tags, and long attributes within reason`() throws {
        let long = String(repeating: "x", count: 3_000_000)
        let note = "<note>\(long)\(long)</note><other a=\"\(long)\"/>"
        let with = gpx("<hr>60</hr>").replacing("<trk>", with: note + "<trk>")
        #expect(rows(try read(with)) == rows(try read(gpx("<hr>60</hr>"))))
    }

    @Test(arguments: ["          ", "\n\r\n", "\u{FEFF}\n"])
    func `spaces before the declaration do no harm`(space: String) throws {
        #expect(rows(try read(space + tcx)) == rows(try read(tcx)))
        let failure = #expect(throws: SourceFailure.self) {
            try read(space + "<?xml version='1.0'?>\n<gpx><a></gpx>")
        }
        #expect(failure?.description.contains("line \(2 + space.utf8.count { $0 == 0x0A })") == true)
    }

    @Test func `reads an Apple Health export, whatever its declaration declares`() throws {
        let recording = try read(health)
        #expect(rows(recording) == [[0, 60], [2, 63], [3, -1]])
        #expect(recording.reading.duplicates == 1)
        #expect(recording.reading.withoutReading == 1)
        #expect(recording.reading.damage == nil)
        #expect(
            recording.reading.skipped == [
                .init(reason: "of another kind", count: 1, firstPlace: "record 2"),
                .init(reason: "whose value cannot be read", count: 1, firstPlace: "record 5"),
                .init(reason: "outside 15 to 300 beats per minute", count: 1, firstPlace: "record 6"),
            ])
    }

    @Test(arguments: ["\u{1}", "\u{1F}", "&#1;", "&#x1F;", "&#x000B;"])
    func `a character that XML forbids in a name costs nothing, wherever a block ends`(character: String)
        throws
    {
        let named = health.replacing("device=\"", with: "sourceName=\"My\(character)Watch\" device=\"")
        for padding in [0, 262_000, 262_140] {
            let note = String(repeating: " ", count: padding)
            let recording = try read(named.replacing("<HealthData", with: note + "<HealthData"))
            #expect(rows(recording) == [[0, 60], [2, 63], [3, -1]] && recording.reading.damage == nil)
            #expect(recording.reading.assumptions.contains("7 characters that XML forbids read as spaces"))
        }
        #expect(try !read(health).reading.assumptions.joined().contains("forbids"))
    }

    @Test func `the beats of Apple's measurements of variability are intervals`() throws {
        let beats = [(58, "11.50"), (60, "12.50"), (60, "13.50"), (30, "14.50"), (75, "15.30")].map {
            rate, second in
            "<InstantaneousBeatsPerMinute bpm=\"\(rate)\" time=\"1:01:\(second)\u{202F}AM\"/>"
        }.joined()
        let variability =
            "<Record type=\"HKQuantityTypeIdentifierHeartRateVariabilitySDNN\" unit=\"ms\" startDate=\"2024-01-01 01:01:10 +0200\" "
            + "value=\"40\"><HeartRateVariabilityMetadataList>\(beats)</HeartRateVariabilityMetadataList></Record>\n"
        let recording = try read("<HealthData>" + record(10, "60") + variability + "</HealthData>")
        #expect(recording.entries.flatMap(\.sample.rrIntervals) == [1, 1, 0.8])
        #expect(recording.entries.map(\.time) == [0, 2.5, 3.5, 5.3])
        #expect(recording.entries.compactMap(\.sample.rate) == [60])
    }

    @Test func `reads the points of a TCX file`() throws {
        let recording = try read(tcx)
        #expect(rows(recording) == [[0, 60], [2, 61], [3, -1]])
        #expect(
            recording.reading.skipped == [
                .init(reason: "without a value", count: 1, firstPlace: "point 2")
            ])
    }

    @Test(arguments: [
        "<gpxtpx:TrackPointExtension><gpxtpx:hr>72</gpxtpx:hr></gpxtpx:TrackPointExtension>",
        "<ns3:hr>72</ns3:hr>", "<heartrate>72</heartrate>", "<gpxdata:hr>&#55;2</gpxdata:hr>",
    ]) func `reads the heart rates of GPX extensions`(extension text: String) throws {
        #expect(rows(try read(gpx(text))) == [[0, 72], [2, 72]])
    }

    @Test func `what stands before the damage is read`() throws {
        let whole = Array(health.utf8)
        let recording = try HeartRateRecording(reading: Array(whole.dropLast(60)), named: "export.xml")
        #expect(rows(recording) == [[0, 60], [2, 63], [3, -1]])
        #expect(
            recording.reading.damage
                == "line 14 is not XML (unclosed token): 3 readings come before that")
        let failure = #expect(throws: SourceFailure.self) {
            try HeartRateRecording(reading: Array(whole.prefix(200)), named: "export.xml")
        }
        #expect(failure?.isBadData == true)
    }

    @Test func `no entity is followed`() throws {
        let laughs = """
            <!DOCTYPE gpx [<!ENTITY a "72"><!ENTITY b "&a;&a;&a;&a;">]><gpx><trkpt><time>2026-01-31T09:00:00Z</time>
            <hr>72</hr></trkpt><trkpt><time>2026-01-31T09:00:01Z</time><hr>&b;</hr></trkpt></gpx>
            """
        let recording = try read(laughs)
        #expect(rows(recording) == [[0, 72]])
        #expect(recording.reading.damage?.contains("undefined entity") == true)
    }

    @Test(arguments: [health, tcx, gpx("<hr>70</hr>")], 0..<150 as Range<UInt64>)
    func `whatever a file holds, a recording is sound or refused`(text: String, seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var bytes = Array(text.utf8)
        for _ in 0...Int(random.next() % 4) {
            let place = Int(random.next() % UInt64(bytes.count))
            switch random.next() % 3 {
            case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
            case 1: bytes.removeSubrange(place..<min(place + Int(random.next() % 20), bytes.count))
            default: bytes.insert(contentsOf: bytes[..<(place / 2)], at: place)
            }
        }
        do {
            let recording = try HeartRateRecording(reading: bytes, named: "fuzz")
            #expect(recording.entries.first?.time == 0)
            #expect(recording.entries.allSatisfy { $0.sample.rate.map { (15...300).contains($0) } != false })
        } catch {
            #expect(error.isBadData)
        }
    }
}
