import Physiology
import SessionPorts
import StudyModel
import Testing

@testable import Recordings

@Suite struct PulseRecordingTests {
    private func read(_ text: String, rate: Double? = nil) throws(SourceFailure) -> PulseTrace {
        try PulseRecording(table: Array(text.utf8), named: "x.csv", rate: rate).trace
    }

    @Test func `reads colours over milliseconds`() throws {
        let trace = try read("time,R,G,B\n0,250,1,2\n40,251,3,4\n")
        #expect(trace == PulseTrace(times: [0, 0.04], red: [250, 251], green: [1, 3], blue: [2, 4]))
    }

    @Test func `finds columns by their names, in any order`() throws {
        let trace = try read("blue;frame_s;Red;GREEN\r\n2;1,5;250;1\r\n4;2,5;251;3\r\n")
        #expect(trace == PulseTrace(times: [1.5, 2.5], red: [250, 251], green: [1, 3], blue: [2, 4]))
    }

    @Test(arguments: [
        "timer,hr\n0,5\n10,6", "0,5\n10,6", "ppg,mstimer\n5,0\n6,10", "hr\ttime (s)\n5\t0\n6\t0.01",
    ])
    func `reads one signal over time`(text: String) throws {
        #expect(try read(text) == PulseTrace(times: [0, 0.01], signal: [5, 6]))
    }

    @Test(arguments: ["5\n6\n7\n", "hr\n5\n6\n7", "# clip\n5\n6\n7", "5 6 7"])
    func `reads a list of values at a rate`(text: String) throws {
        #expect(try read(text, rate: 100) == PulseTrace(signal: [5, 6, 7], rate: 100))
    }

    @Test func `reads colours without times at a rate`() throws {
        let trace = try read("R,G,B\n250,1,2\n251,3,4\n", rate: 25)
        #expect(trace == PulseTrace(times: [0, 0.04], red: [250, 251], green: [1, 3], blue: [2, 4]))
    }

    @Test(arguments: ["", "nan", "NaN"])
    func `keeps the time of a frame without a value`(cell: String) throws {
        let trace = try read("time,hr\n0,5\n10,\(cell)\n20,6\n")
        #expect(trace.times == [0, 0.01, 0.02])
    }

    @Test(
        arguments: [
            ("", ", line 1: the file is empty"),
            ("time,R,G,B\n", "at least two rows"),
            ("time,R,G,B\n0,1,2,3\n", "at least two rows"),
            ("time,R,G,B\n0,1,2,3\n40,x,2,3\n", ", line 3: 'x' is not a number"),
            ("time,R,G,B\n0,1,2,3\nlater,1,2,3\n", ", line 3: 'later' is not a time"),
            ("time,R,G,B\n0,1,2,3\n,1,2,3\n", ", line 3: '' is not a time"),
            ("time,R,G,B\n0,1,2,3\n40,1,2\n", ", line 3: this row has 3 cells"),
            ("time,R,G\n0,1,2\n40,1,2\n", "only 'R' and 'G' is here"),
            ("time,x,y\n0,1,2\n40,1,2\n", "which column is the pulse: 'x', 'y'?"),
            ("time\n0\n40\n", "there is no column of values"),
            ("5\n6\n", "there is no column of times"),
            ("1,2,3\n1,2,3\n", "3 columns without names"),
            ("time,hr\n40,1\n0,1\n", "the times do not increase"),
            ("time,hr\n0,1\n0.04,1\n0.08,2\n", "25000 frames a second"),
            ("\0\0\0", "this is not text"),
        ])
    func `points at what is wrong`(text: String, words: String) {
        let failure = #expect(throws: SourceFailure.self) { try read(text) }
        #expect(failure?.isBadData == true)
        #expect(failure?.description.contains(words) == true, "\(failure?.description ?? "")")
    }

    @Test func `refuses two tellings of time`() {
        let failure = #expect(throws: SourceFailure.self) { try read("time,hr\n0,1\n40,1\n", rate: 25) }
        #expect(failure?.description.hasSuffix("leave out --rate") == true)
    }

    @Test func `says of a missing file that it is missing, not bad`() {
        let failure = #expect(throws: SourceFailure.self) {
            try PulseRecording(tableAt: "/no/such", rate: nil)
        }
        #expect(failure?.isBadData == false)
        #expect(failure?.description == "'/no/such' cannot be read: No such file or directory")
    }
}
