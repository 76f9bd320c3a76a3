import SessionPorts
import StudyModel
import StudySession
import Testing

@testable import Recordings

private func read(_ text: String) throws -> HeartRateRecording {
    try HeartRateRecording(reading: Array(text.utf8), named: "heart.csv")
}

/// Time, rate (-1 where the source has none) and intervals of each entry.
private func rows(_ recording: HeartRateRecording) -> [[Double]] {
    recording.entries.map { [$0.time, $0.sample.rate ?? -1] + $0.sample.rrIntervals }
}

@Suite struct RecordingTests {
    @Test(arguments: [
        "time,hr\n10,60\n11.5,62\n", "Time (s);Heart Rate (bpm)\n10;60\n11,5;62\n",
        "\u{FEFF}timestamp\tHR [bpm]\r\n10\t60\r\n11.5\t62\r\n", "seconds,BPM\r10,60\r11.5,62\r",
        "# a comment\n\nelapsed,heart_rate\n\n10,60\n# another\n11.5,62", "10,60\n11.5,62\n",
        "10 60\n11.5 62",
        "10;60\n11,5;62\n", "\"time\",\"note, with \"\"quotes\"\"\",\"hr\"\n10,\"a\nb\",60\n11.5,c,\"62\"\n",
        "time_ms,heartRate\n10000,60\n11500,62\n", "ms,bpm\n10000,60\n11500,62\n",
        "timestampMs,hr\n10000,60\n11500,62",
        "time,hr\n10000,60\n11500,62\n", "time,hr\n1600000010000,60\n1600000011500,62\n",
        "time,hr\n1600000010,60\n1600000011.5,62\n", "time,hr\n1600000010000000,60\n1600000011500000,62\n",
        "sensor timestamp [ns];HR [bpm]\n599616010000000000;60\n599616011500000000;62\n",
        "datetime,hr\n2026-01-31T10:00:10+01:00,60\n2026-01-31T09:00:11.5Z,62\n",
        "datetime,hr\n2026-01-31 10:00:10,60\n2026-01-31 10:00:11.500,62\n",
        "date,time,hr\n2026-01-31,23:59:59,60\n2026-02-01,00:00:00.5,62\n",
        "time,hr\n23:59:59,60\n00:00:00.5,62\n",
        "Date,Value\n4/12/2016 7:21:00 AM,60\n4/12/2016 7:21:01.5 AM,62",
        "time hr\n10 60\n11.5 62\n", "time|hr\n10|60\n11.5|62\n", "sep=;\ntime;hr\n10;60\n11,5;62\n",
        "\"time\",\"hr\"\n\"10,0\",\"60,0\"\n\"11,5\",\"62,0\"\n", "time,hr\n10,60 bpm\n11.5,62 bpm\n",
        "Zeit;Puls\n10;60\n11,5;62\n",
        "Datum;Uhrzeit;Herzfrequenz\n31.01.2026;10:00:10;60\n31.01.2026;10:00:11,5;62\n",
        "date,time,hr\n01/31/2026,10:00:10 PM,60\n01/31/2026,10:00:11.5 PM,62\n",
        "time,hr\n31/01/2026 10:00:10,60\n31/01/2026 10:00:11.5,62\n",
        "time,hr\n1/31/2026 22:00:10,60\n1/31/2026 22:00:11.5,62\n",
        "time,hr\n31-Jan-2026 10:00:10,60\n31-Jan-2026 10:00:11.5,62\n",
        "time,hr\n20260131T100010Z,60\n20260131T100011.5Z,62\n", "time,hr\n0:00,60\n0:01.5,62\n",
        "Cycle start,HR\n2026-01-31 10:00:10,60\n2026-01-31 10:00:11.5,62\n",
        "com.samsung.shealth.heart_rate,6510\ncom.samsung.health.heart_rate.start_time,"
            + "com.samsung.health.heart_rate.heart_rate\n2026-01-31 10:00:10.000,60\n2026-01-31 10:00:11.500,62\n",
        "Name,Sport\nMax,Run\nSample rate,Time,HR (bpm)\n1,00:00:10,60\n,00:00:11.5,62\n",
        "10;HEART_RATE;60\n11,5;HEART_RATE;62\n",
        "time,type,value\n10,heartRate,60\n11,steps,7\n11.5,hr,62\n",
        "startDate,unit,value\n2016-04-26T17:49:10-0400,count/min,60\n2016-04-26T17:49:11.5-0400,count/min,62\n",
    ]) func `reads rates with their times in many forms`(text: String) throws {
        #expect(rows(try read(text)) == [[0, 60], [1.5, 62]])
    }

    @Test(arguments: [
        "rr\n800\n750\n", "RR-interval [ms]\n800\n750", "0.8\n0.75\n", "800 750", "800\n750\n",
        "ibi_s\n0.8\n0.75",
        "time,rr\n5,800\n5.75,750\n", "1560279835.0, IBI\n5.0,0.8\n5.75,0.75\n", "time;ibi\n5;0,8\n5,75;0,75",
    ]) func `reads intervals, and computes the rates from them`(text: String) throws {
        #expect(rows(try read(text)) == [[0, 75, 0.8], [0.75, 80, 0.75]])
    }

    @Test(arguments: [false, true], [false, true])
    func `reads UTF-16, with its mark or without`(isBigEndian: Bool, hasMark: Bool) throws {
        let text = (hasMark ? "\u{FEFF}" : "") + "time;hr;Bemerkung\n10;60;grün 😀\n11,5;62;\n"
        let bytes = text.utf16.flatMap { unit -> [UInt8] in
            let (high, low) = (UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit))
            return isBigEndian ? [high, low] : [low, high]
        }
        #expect(rows(try HeartRateRecording(reading: bytes, named: "heart.csv")) == [[0, 60], [1.5, 62]])
    }

    @Test func `UTF-16 may be cut anywhere`() throws {
        let text = "a😀b\u{FEFF}grün"
        let units = text.utf16.flatMap { unit -> [UInt8] in
            [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)]
        }
        let bytes = [0xFF, 0xFE] + units
        for cut in 2...bytes.count {
            var decoder = try #require(UTF16Decoder(bytes))
            let decoded = decoder.decode(Array(bytes[..<cut])) + decoder.decode(Array(bytes[cut...]))
            #expect(String(decoding: decoded, as: UTF8.self) == text)
        }
        #expect(UTF16Decoder(Array("time".utf8)) == nil && UTF16Decoder([]) == nil)
    }

    @Test func `a summary above the readings tells their start`() throws {
        let text = """
            Name,Sport,Date,Start time,Duration
            Max,RUNNING,31-01-2026,10:00:10,00:00:02
            Sample rate,Time,HR (bpm),Speed (km/h)
            1,00:00:00,60,1.0
            ,00:00:01.5,62,1.2
            """
        var times: [Double] = []
        let reading = try RecordingFile(bytes: Array(text.utf8), name: "polar.csv").read {
            times.append($0.time)
        }
        #expect(times == [1_769_853_610, 1_769_853_611.5])
        #expect(reading.isDated)
    }

    @Test func `an order of day and month that nothing proves is told`() throws {
        let reading = try read("time,hr\n1/2/2026 10:00:10,60\n1/2/2026 10:00:11,62\n").reading
        #expect(reading.assumptions.contains { $0.hasPrefix("dates read as day/month/year") })
    }

    @Test func `several intervals of one second stand in one cell`() throws {
        let recording = try read("time,hr,rr\n0,61,\"[980, 991]\"\n1,62,985\n2,62,\n3,62,970 -1 960\n")
        #expect(rows(recording) == [[0, 61, 0.98, 0.991], [1, 62, 0.985], [2, 62], [3, 62, 0.97, 0.96]])
    }

    @Test func `values without times come once a second`() throws {
        #expect(rows(try read("60\n61\nx\n62")) == [[0, 60], [1, 61], [3, 62]])
        #expect(rows(try read("hr\n60\n-1\n62")) == [[0, 60], [1, -1], [2, 62]])
    }

    @Test func `an Empatica file tells its start and rate`() throws {
        let recording = try read("1560279835.000000\n4.000000\n93.00\n101.00\n")
        #expect(rows(recording) == [[0, 93], [0.25, 101]])
    }

    @Test func `-1, 0 and words for none are entries without a reading`() throws {
        let recording = try read("time,hr\n0,60\n1,-1\n2,0\n3,NaN\n4,n/a\n5,61\n")
        #expect(rows(recording) == [[0, 60], [1, -1], [2, -1], [3, -1], [4, -1], [5, 61]])
        #expect(recording.reading.withoutReading == 4)
    }

    @Test func `contact and quality are kept`() throws {
        let recording = try read("time,hr,sensorContact,quality\n0,60,true,0.5\n1,61,false,7\n2,62,,\n")
        #expect(recording.entries.map(\.sample.sensorContact) == [true, false, nil])
        #expect(recording.entries.map(\.sample.quality) == [0.5, nil, nil])
    }

    @Test func `disorder is put right and everything left out is counted`() throws {
        let recording = try read(
            """
            time,type,value,rr
            0,hr,60,
            2,hr,62,
            1,hr,61,
            2,hr,62,
            3,steps,5,
            4,hr,,
            soon,hr,63,
            5,hr,many,
            6,hr,400,
            7,hr,64,
            7,rr,950,
            8,hr,65,
            """)
        #expect(rows(recording) == [[0, 60], [1, 61], [2, 62], [7, 64, 0.95], [8, 65]])
        #expect(recording.reading.reordered == 1)
        #expect(recording.reading.duplicates == 1)
        #expect(recording.reading.joined == 1)
        #expect(
            recording.reading.skipped == [
                .init(reason: "of another kind", count: 1, firstPlace: "line 6"),
                .init(reason: "without a value", count: 1, firstPlace: "line 7"),
                .init(reason: "whose time cannot be read", count: 1, firstPlace: "line 8"),
                .init(reason: "whose value cannot be read", count: 1, firstPlace: "line 9"),
                .init(reason: "outside 15 to 300 beats per minute", count: 1, firstPlace: "line 10"),
            ])
        #expect(
            recording.summary.hasPrefix("5 samples over 8 s, 1 put in order, 1 repeated, 1 joined"))
    }

    @Test(arguments: [
        ("", ", line 1: the file is empty"), ("\n \n", ", line 1: the file is empty"),
        ("time,steps\n0,1\n", ", line 1: no column is a heart rate ('time', 'steps')"),
        ("hello", ", line 1: no column is a heart rate ('hello')"),
        ("1,2,3\n4,5,6\n", ", line 1: no column is a heart rate ('1', '2', '3')"),
        ("time,hr\n", ": no row holds a heart rate"),
        ("time,hr\nsoon,60\nlater,61\n1,62", ", line 2: 'soon' is not a time"),
        ("time,hr\n0,a\n1,b\n2,62", ", line 2: 'a' is not a number"),
        ("time,hr\n0,0.5\n1,0.6\n", ", line 2: '0.5' is not a heart rate"),
        ("0,STEPS,5\n1,STEPS,6", ": no row holds a heart rate, only others such as 'STEPS'"),
        ("time,hr\n0,60\n\"1,61\n", ", line 3: a quotation mark is opened and never closed"),
        ("time,hr\n0,60\n1,\u{0}61\n", ", line 3: this is not text (it holds a zero byte)"),
        ("time,hr\n1e300,60\n1e305,61\n", ", line 2: '1e+300' is not a time"),
        ("[Params]\nVersion=106\n", ": [Params] has no Interval that is a number of seconds or 238"),
        ("time,hr\n0,60\n1e9,61\n", ", line 3: from line 2 to line 3 it spans more than a year"),
        ("<?xml version=\"1.0\"?><gpx>", ": line 1 is not XML (no element found)"),
        ("<gpx></gpx>", ": no row holds a heart rate"),
        ("<html>", ": this is an XML file, which is not understood as a table. Understood are CSV"),
        ("PK\u{3}\u{4}xl", " is a zip archive, which cannot be read from a pipe"),
        ("\u{E}\u{10}__data.FIT", ": the data from byte 0 on are not part of a FIT file"),
        ("\u{1B}]0;x\u{7}", ", line 1: no column is a heart rate"),
    ]) func `says where a file is wrong and what to do`(text: String, expected: String) {
        let failure = #expect(throws: SourceFailure.self) { try read(text) }
        #expect(failure?.isBadData == true)
        #expect(failure?.description.hasPrefix("'heart.csv'" + expected) == true, "\(failure as Any)")
        #expect(failure?.description.unicodeScalars.contains { $0.value < 0x20 } == false)
    }

    @Test func `a file that is not there is not bad data`() {
        let failure = #expect(throws: SourceFailure.self) {
            try HeartRateRecording(contentsOf: "no-such-folder/heart.csv")
        }
        #expect(failure?.isBadData == false)
        #expect(
            failure?.description == "'no-such-folder/heart.csv' cannot be read: No such file or directory")
    }
}
