import StudyFile
import StudyModel
import Testing

private let all =
    "there are simulated, replay:FILE, camera:/dev/video0, bluetooth, poll:URL, push:URL, stdin, socket:PATH, "
    + "lsl, joystick:/dev/input/eventN and midi:/dev/snd/midiCND0"

@Suite struct SourceSpecTests {
    @Test(arguments: [
        ("simulated", SourceConfiguration.simulated(SimulatedSource())),
        ("simulated:", .simulated(SimulatedSource())),
        (
            "simulated:restingRate=70,dropouts=0.1",
            .simulated(SimulatedSource(restingRate: 70, dropouts: 0.1))
        ),
        (
            "simulated:maximumRate=200,musicResponse=-2.5,variability=0,duplicates=1,contactLoss=0.5",
            .simulated(
                SimulatedSource(
                    maximumRate: 200, musicResponse: -2.5, variability: 0, duplicates: 1, contactLoss: 0.5))
        ),
        ("replay:a b:c,d=e.csv", .replay(path: "a b:c,d=e.csv")),
        ("bluetooth", .bluetooth(.only)), ("bluetooth:", .bluetooth(.only)),
        ("bluetooth:Polar H10", .bluetooth(.named("Polar H10"))),
        ("bluetooth:a0:9E:1A:2B:3C:4D", .bluetooth(.at(address: "a0:9E:1A:2B:3C:4D"))),
        ("poll:http://localhost:80/a?b=c", .poll(PolledServer(url: "http://localhost:80/a?b=c"))),
        ("push:HTTPS://example.org/events", .push(.events(url: "HTTPS://example.org/events"))),
        ("stdin", .push(.standardInput)), ("socket:/tmp/a b.sock", .push(.socket(path: "/tmp/a b.sock"))),
        ("lsl", .lsl(LabStreamChoice())), ("lsl:HR Polar H10", .lsl(LabStreamChoice(stream: "HR Polar H10"))),
        ("lsl:HR@lab-2", .lsl(LabStreamChoice(stream: "HR", host: "lab-2"))),
        ("lsl:@lab-2", .lsl(LabStreamChoice(host: "lab-2"))),
        ("lsl:a@b@", .lsl(LabStreamChoice(stream: "a@b"))),
    ]) func `reads what it may be`(spec: String, expected: SourceConfiguration) throws {
        #expect(try SourceConfiguration(spec: spec) == expected)
    }

    @Test(arguments: [
        ("", "'' is not a kind of source; " + all),
        ("simulatd", "'simulatd' is not a kind of source; did you mean 'simulated'?"),
        ("Replay:x", "'Replay' is not a kind of source; did you mean 'replay'?"),
        ("heart.csv", "'heart.csv' is not a kind of source; " + all),
        ("stdin:x", "'stdin' is not a kind of source; " + all),
        ("socket:", "'socket' needs a path: write socket:PATH, such as socket:heart.sock"),
        ("poll:localhost", "'poll' needs a server: write poll:URL, such as poll:http://localhost:8080/heart"),
        ("poll:http://", "'poll' needs a server: write poll:URL, such as poll:http://localhost:8080/heart"),
        (
            "push",
            "'push' needs a server that sends events: write push:URL; for readings from a script write stdin or socket:PATH"
        ),
        ("replay", "'replay' needs a recording: write replay:FILE, such as replay:heart.csv"),
        ("replay:", "'replay' needs a recording: write replay:FILE, such as replay:heart.csv"),
        (
            "simulated:dropout=0.1",
            "'dropout' is not a setting of a simulated source; did you mean 'dropouts'?"
        ),
        (
            "simulated:speed=1",
            "'speed' is not a setting of a simulated source; there are restingRate, maximumRate, musicResponse, "
                + "variability, dropouts, duplicates, contactLoss"
        ),
        ("simulated:dropouts", "'dropouts': write dropouts= and a number from 0 to 1"),
        ("simulated:dropouts=2", "'dropouts=2': write dropouts= and a number from 0 to 1"),
        ("simulated:restingRate=nan", "'restingRate=nan': write restingRate= and a number from 30 to 220"),
        ("simulated:dropouts=0.1,dropouts=0.2", "'dropouts' is set twice"),
        (
            "simulated:restingRate=190",
            "restingRate (190.0) must be below maximumRate (185.0)"
        ),
        ("\u{1B}[31m", "'\\u{1b}[31m' is not a kind of source; " + all),
    ]) func `says what is wrong and what to write`(spec: String, expected: String) {
        let problem = #expect(throws: SourceSpecProblem.self) { try SourceConfiguration(spec: spec) }
        #expect(problem?.description == expected)
    }
}
