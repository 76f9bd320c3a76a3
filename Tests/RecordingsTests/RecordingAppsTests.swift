import SessionPorts
import StudyModel
import StudySession
import Testing

@testable import Recordings

private func rows(_ text: String) throws -> [[Double]] {
    try HeartRateRecording(reading: Array(text.utf8), named: "export").entries
        .map { [$0.time, $0.sample.rate ?? -1] + $0.sample.rrIntervals }
}

/// How apps write the same two readings.
@Suite struct RecordingAppsTests {
    @Test func `Suunto's intervals and Oura's older nights are read`() throws {
        let suunto =
            #"{"DeviceLog":{"Samples":[{"TimeISO8601":"2026-01-31T08:00:05Z","R-R":{"Data":[812,803]}}]}}"#
        #expect(try rows(suunto).map { $0.suffix(2) } == [[0.812, 0.803]])
        let oura = #"{"sleep":[{"bedtime_start":"2026-01-31T08:00:05+00:00","hr_5min":[60,0,62]}]}"#
        #expect(try rows(oura) == [[0, 60], [300, -1], [600, 62]])
    }

    @Test(arguments: [
        // Fitbit: account archive, web interface, Google Takeout.
        #"[{"dateTime":"01/31/26 08:00:05","value":{"bpm":60,"confidence":2}},{"dateTime":"01/31/26 08:00:10","value":{"bpm":62,"confidence":0}}]"#,
        #"{"activities-heart":[{"dateTime":"2026-01-31","value":{"restingHeartRate":58}}],"activities-heart-intraday":{"dataset":[{"time":"08:00:05","value":60},{"time":"08:00:10","value":62}],"datasetInterval":5}}"#,
        "timestamp,beats per minute\n2026-01-31T08:00:05Z,60\n2026-01-31T08:00:10Z,62\n",
        // Polar: training session, whole days, sensor logger, Flow's CSV.
        #"{"name":"x","exercises":[{"duration":"PT5S","heartRate":{"avg":61},"samples":{"heartRate":[{"dateTime":"2026-01-31T08:00:05.000","value":60},{"dateTime":"2026-01-31T08:00:10.000","value":62}],"speed":[{"dateTime":"2026-01-31T08:00:05.000","value":99}]}}]}"#,
        #"{"deviceDays":[{"userId":1,"date":"2026-01-31","samples":[{"heartRate":60,"secondsFromDayStart":86398}]},{"userId":1,"date":"2026-02-01","samples":[{"heartRate":62,"secondsFromDayStart":3}]}]}"#,
        "Phone timestamp;sensor timestamp [ns];HR [bpm];HRV [ms];\n2026-01-31T08:00:05.000;599616010000000000;60;\n2026-01-31T08:00:10.000;599616015000000000;62;\n",
        "Name,Sport,Date\nMax,Run,2026-01-31\nSample rate,Time,HR (bpm),Speed (km/h)\n1,00:00:05,60,1.0\n,00:00:10,62,1.2\n",
        // Garmin: web interface, watch.
        #"{"userProfilePK":1,"maxHeartRate":99,"heartRateValueDescriptors":[{"key":"timestamp","index":0}],"heartRateValues":[[1769846405000,60],[1769846410000,62]]}"#,
        "2026-01-31T09:00:05.000+01:00;STEPS;2\n2026-01-31T09:00:05.000+01:00;HEART_RATE;60\n2026-01-31T09:00:10.000+01:00;HEART_RATE;62\n",
        // Empatica: E4, EmbracePlus.
        "1769846405.0\n0.2\n60\n62\n",
        "timestamp_unix,timestamp_iso,participant_full_id,pulse_rate_bpm,missing_value_reason\n1769846405000,2026-01-31T08:00:05Z,a,60,\n1769846410000,2026-01-31T08:00:10Z,a,62,\n",
        // Oura and others: a list in an object.
        #"{"data":[{"bpm":60,"source":"awake","timestamp":"2026-01-31T08:00:05+00:00"},{"bpm":62,"source":"rest","timestamp":"2026-01-31T08:00:10+00:00"}]}"#,
        // Oura: a night, and an older one, here of five seconds a value.
        #"{"data":[{"day":"2026-01-31","heart_rate":{"interval":5.0,"items":[60,62],"timestamp":"2026-01-31T08:00:05.000+00:00"}}]}"#,
        // Suunto, in Hz.
        #"{"DeviceLog":{"Header":{},"Samples":[{"TimeISO8601":"2026-01-31T08:00:05.000+00:00","HR":1.0},{"TimeISO8601":"2026-01-31T08:00:07Z","Speed":1.1},{"TimeISO8601":"2026-01-31T08:00:10.000+00:00","HR":1.0333333}]}}"#,
        #"{"Samples":[{"Attributes":{"suunto/sml":{"Sample":{"HR":1.0}}},"TimeISO8601":"2026-01-31T08:00:05Z"},{"Attributes":{"suunto/sml":{"Sample":{"HR":1.0333333}}},"TimeISO8601":"2026-01-31T08:00:10Z"}]}"#,
        // Strava: streams as a list.
        #"[{"type":"time","data":[10,15],"series_type":"time"},{"type":"heartrate","data":[60,62],"series_type":"time"}]"#,
        // Withings: minutes that follow each other in one row, and one a row.
        "start,duration,value\n2026-01-31T08:00:05+00:00,\"[5,5]\",\"[60,62]\"\n",
        "start,duration,value\n2026-01-31T08:00:05+00:00,[5],[60]\n2026-01-31T08:00:10+00:00,[5],[62]\n",
        // Google Fit: Takeout and its server; means of its daily tables.
        #"{"Data Source":"derived:com.google.heart_rate.bpm:x","Data Points":[{"fitValue":[{"value":{"fpVal":60.0}}],"endTimeNanos":1769846405000000000,"dataTypeName":"com.google.heart_rate.bpm","startTimeNanos":1769846405000000000,"modifiedTimeMillis":1769999999000},{"fitValue":[{"value":{"fpVal":62.0}}],"endTimeNanos":1769846410000000000,"dataTypeName":"com.google.heart_rate.bpm","startTimeNanos":1769846410000000000}]}"#,
        #"{"point":[{"startTimeNanos":"1769846405000000000","dataTypeName":"com.google.heart_rate.bpm","value":[{"fpVal":60,"mapVal":[]}]},{"startTimeNanos":"1769846410000000000","dataTypeName":"com.google.heart_rate.bpm","value":[{"fpVal":62}]}]}"#,
        "Start time,End time,Calories (kcal),Average heart rate (bpm),Max heart rate (bpm)\n08:00:05.000+00:00,08:00:10.000+00:00,1,60,99\n08:00:10.000+00:00,08:00:15.000+00:00,1,62,99\n",
        // Health Auto Export: JSON among other metrics, CSV.
        #"{"data":{"metrics":[{"name":"resting_heart_rate","units":"count/min","data":[{"date":"2026-01-31 00:00:00 +0000","qty":50},{"date":"2026-02-01 00:00:00 +0000","qty":51},{"date":"2026-02-02 00:00:00 +0000","qty":51}]},{"name":"heart_rate","units":"count/min","data":[{"date":"2026-01-31 08:00:05 +0000","Min":58,"Avg":60,"Max":70},{"date":"2026-01-31 08:00:10 +0000","Min":58,"Avg":62,"Max":70}]}]}}"#,
        "Date,Heart Rate [Min] (count/min),Heart Rate [Max] (count/min),Heart Rate [Avg] (count/min)\n2026-01-31 08:00:05,50,70,60\n2026-01-31 08:00:10,50,70,62\n",
    ]) func `reads what apps export`(text: String) throws {
        #expect(try rows(text) == [[0, 60], [5, 62]])
    }

    @Test(arguments: [
        #"[{"date":"2026-01-31","devicePpiSamplesList":[{"deviceId":"A","ppiSamples":[{"sampleDateTime":"2026-01-31T08:00:05.000","pulseLength":1000},{"sampleDateTime":"2026-01-31T08:00:05.800","pulseLength":800}]}]}]"#,
        "Timestamp,R to R\n31/01/2026 08:00:05.000,1000\n31/01/2026 08:00:05.800,800\n",
    ]) func `reads the intervals that apps export`(text: String) throws {
        #expect(try rows(text) == [[0, 60, 1], [0.8, 75, 0.8]])
    }

    @Test func `a list of rates without as many lengths is no rate`() {
        let failure = #expect(throws: SourceFailure.self) {
            try rows("start,duration,value\n2026-01-31T08:00:05+00:00,\"[5]\",\"[60,62]\"\n")
        }
        #expect(failure?.description.contains("line 2: '[60,62]' is not a number") == true)
    }

    @Test func `a day without readings has no items`() {
        let failure = #expect(throws: SourceFailure.self) {
            try rows(#"{"activities-heart-intraday":{"dataset":[],"datasetInterval":5}}"#)
        }
        #expect(failure?.isBadData == true)
    }
}
