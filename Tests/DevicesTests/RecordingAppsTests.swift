import StudyModel
import StudySession
import Testing

@testable import Devices

private func rows(_ text: String) throws -> [[Double]] {
    try HeartRateRecording(reading: Array(text.utf8), named: "export").entries
        .map { [$0.time, $0.sample.rate ?? -1] + $0.sample.rrIntervals }
}

/// How apps write the same two readings.
@Suite struct RecordingAppsTests {
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
    ]) func `reads what apps export`(text: String) throws {
        #expect(try rows(text) == [[0, 60], [5, 62]])
    }

    @Test func `a day without readings has no items`() {
        let failure = #expect(throws: SourceFailure.self) {
            try rows(#"{"activities-heart-intraday":{"dataset":[],"datasetInterval":5}}"#)
        }
        #expect(failure?.isBadData == true)
    }
}
