import Results
import StudyTesting
import Testing
import TextFormat

@Suite struct PulseCommandTests {
    let program = Program()

    /// A pulse of 75 per minute seen by a camera: 20 s at 25 frames a second, dark for some of it.
    private func table(dark: Range<Int> = 0..<0) -> String {
        let wave: [Double] = [0, 3, 8, 10, 8, 6, 5, 5, 4, 3, 2, 2, 2, 1, 1, 1, 0, 0, 0, 0]
        let rows = (0..<500).map { frame in
            let pulse = dark.contains(frame) ? 0 : wave[frame % 20]
            return "\(frame * 40),\(230 - pulse / 5),\(60 - pulse),\(20 - pulse / 10)"
        }
        return "time,R,G,B\n" + rows.joined(separator: "\n") + "\n"
    }

    private func found(_ arguments: String) throws -> JSON {
        let outcome = program.run("pulse \(arguments)")
        #expect(outcome.code == 0, "\(outcome.errors)")
        return try JSON(parsing: Array(outcome.output.utf8))
    }

    @Test(arguments: ["", "--live", "--method elgendi", "--method hueTroughs --live"])
    func `finds a pulse in colours`(options: String) throws {
        _ = program.write(table(), "finger.csv")
        let json = try found("finger.csv \(options)")
        #expect(json.object?.members.map(\.key) == ["beats", "channel", "windows"])
        let windows = try #require(json["windows"]?.list)
        #expect(windows.map { $0["start"] } == [0.0, 2.0, 4.0, 6.0, 8.0, 10.0])
        for window in windows {
            #expect(window.object?.members.map(\.key) == ["bpm", "end", "quality", "reliable", "start"])
            #expect(window["reliable"] == true)
            #expect(abs(try #require(window["bpm"]?.number) - 75) < 0.5)
        }
        #expect((23...26).contains(try #require(json["beats"]?.list?.count)))
    }

    @Test func `a lifted finger is not reliable, and text says no rate for it`() throws {
        _ = program.write(table(dark: 250..<400), "lifted.csv")
        let windows = try #require(try found("lifted.csv --window 5 --hop 5")["windows"]?.list)
        #expect(windows.map { $0["reliable"] } == [true, true, false, false])
        let text = program.run("pulse lifted.csv --window 5 --hop 5 --format text").output
        #expect(text.contains("0.0 to 5.0 s  7"))
        #expect(
            text.contains("15.0 to 20.0 s  no reliable heart rate")
                || text.contains("15.0 to 20.0 s  no pulse"))
        #expect(text.hasSuffix("reliable: 2 of 4 windows\n"))
    }

    @Test func `a live window knows nothing of later frames`() throws {
        _ = program.write(table(), "finger.csv")
        let rows = table().split(separator: "\n").prefix(301)
        _ = program.write(rows.joined(separator: "\n") + "\n", "half.csv")
        let whole = try #require(try found("finger.csv --live")["windows"]?.list)
        let half = try #require(try found("half.csv --live")["windows"]?.list)
        #expect(half == Array(whole.prefix(2)))
    }

    @Test func `tables hold windows, beats and intervals`() {
        _ = program.write(table(), "finger.csv")
        let lines = program.run("pulse finger.csv --format csv").output.split(separator: "\n")
        #expect(lines[0] == "kind,start,end,value,unit,reliable,quality")
        #expect(lines[1].hasPrefix("heartRate,0.0,10.0,7"))
        #expect(lines[1].contains(",count/min,true,"))
        #expect(lines.contains { $0.hasPrefix("beat,") })
        #expect(lines.contains { $0.hasPrefix("rrInterval,") && $0.hasSuffix(",800.0,ms,,") })
        #expect(lines.allSatisfy { $0.count { $0 == "," } == 6 })
    }

    @Test func `reads a list of values, also from standard input`() throws {
        let values = table().split(separator: "\n").dropFirst().map { row in
            let green = row.split(separator: ",")[2]
            return "-\(green)"
        }
        let path = program.write(values.joined(separator: "\n"), "list.txt")
        let json = try found("list.txt --rate 25")
        #expect(json["channel"] == "signal")
        #expect(
            program.run("pulse - --rate 25", input: path).output
                == program.run("pulse list.txt --rate 25").output)
    }

    @Test func `a flat recording has no channel and no rate`() throws {
        _ = program.write(table(dark: 0..<500), "flat.csv")
        let json = try found("flat.csv")
        #expect(json["channel"] == .null)
        #expect(json["beats"] == [])
        for window in try #require(json["windows"]?.list) {
            #expect(window["bpm"] == .null)
            #expect(window["reliable"] == false)
        }
    }

    @Test func `bad data end with 65 and name the line, a missing file with 69`() {
        _ = program.write("time,R,G,B\n0,1,2,3\n40,one,2,3\n", "bad.csv")
        let bad = program.run("pulse bad.csv")
        #expect(bad.code == 65)
        #expect(bad.errors == "error: 'bad.csv', line 3: 'one' is not a number\n")
        #expect(bad.output.isEmpty)
        let missing = program.run("pulse none.csv")
        #expect(missing.code == 69)
        #expect(missing.errors == "error: 'none.csv' cannot be read: No such file or directory\n")
    }

    @Test(arguments: [
        "", "x.csv --window 1", "x.csv --hop 0", "x.csv --rate 0", "x.csv --method best", "a b",
        "x.csv --watch", "/dev/null --watch",
    ])
    func `wrong usage ends with 64`(arguments: String) {
        #expect(program.run("pulse \(arguments)").code == 64)
    }
}
