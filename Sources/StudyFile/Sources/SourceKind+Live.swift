import StudyModel
import TextFormat

/// Sources outside of the program: straps, servers, scripts, streams.
extension SourceKind {
    /// A heart-rate strap.
    static let bluetooth = SourceKind(
        variant: .init(
            word: "bluetooth", description: "a heart-rate strap",
            fields: [name.declaration, address.declaration], rules: [.atMostOne(["name", "address"])]
        ) { fields in
            if let address = fields[address] { return .bluetooth(.at(address: address)) }
            return .bluetooth(fields[name].map { .named($0) } ?? .only)
        },
        spellings: [
            Spelling(
                word: "bluetooth", form: "bluetooth[:NAME]", meaning: "a heart-rate strap",
                examples: ["bluetooth", "bluetooth:NAME"], sample: .bluetooth(.only)
            ) { text in
                .bluetooth(
                    text.isEmpty ? .only : text.isDeviceAddress ? .at(address: text) : .named(text))
            }
        ])

    private static let name = Field(
        "name", .text(atMost: 248), "Name",
        "The strap's name, or its beginning; needed if several straps are in reach.", example: "Polar H10")
    private static let address = Field(
        "address", .deviceAddress, "Address", "The strap's address, as 'entrain sources --scan' lists it.",
        example: "A0:9E:1A:2B:3C:4D")

    /// A server that is asked.
    static let poll = SourceKind(
        variant: .init(
            word: "poll", description: "a server that is asked again and again",
            fields: [polled.declaration, interval.declaration]
        ) { fields in
            let interval = fields.located(interval)
            if let interval, !(Duration.seconds(1)...Duration.seconds(3600)).contains(interval.value) {
                fields.reading.report(
                    .outOfRange, "a server can be asked at most once a second, and at least once an hour",
                    at: interval.range, help: "write a duration from 1 s to 60 min")
            }
            guard let url = fields[polled] else { return nil }
            return .poll(PolledServer(url: url, interval: interval?.value ?? .seconds(10)))
        },
        spellings: [
            Spelling(
                word: "poll", form: "poll:URL", meaning: "a server that is asked again and again",
                examples: ["poll:URL"], sample: .poll(PolledServer(url: "http://localhost:8080/heart"))
            ) { url throws(SourceSpecProblem) in
                guard url.isWebAddress else {
                    throw SourceSpecProblem(
                        description: "'poll' needs a server: write poll:URL, such as "
                            + "poll:http://localhost:8080/heart")
                }
                return .poll(PolledServer(url: url))
            }
        ])

    private static let polled = Field(
        "url", .webAddress, isRequired: true, "Address",
        "The server to ask; the cursor of its last answer replaces '{cursor}'.",
        example: "https://example.org/sessions/7/heart-rate")
    private static let interval = Field(
        "interval", .duration().called("duration from 1 s to 60 min"), usual: "10 s", "Interval",
        "The time from one request to the next.",
        example: "5 s")

    /// A program that sends readings.
    static let push = SourceKind(
        variant: .init(
            word: "push",
            description:
                "a program that sends readings: to a socket, as a server's events, or else to standard input",
            fields: [socket.declaration, events.declaration], rules: [.atMostOne(["socket", "url"])]
        ) { fields in
            if let path = fields[socket] { return .push(.socket(path: path)) }
            return .push(fields[events].map { .events(url: $0) } ?? .standardInput)
        },
        spellings: [
            Spelling(
                word: "push", form: "push:URL", meaning: "a server that sends events",
                examples: ["push:URL"], sample: .push(.events(url: "http://localhost:8080/events"))
            ) { url throws(SourceSpecProblem) in
                guard url.isWebAddress else {
                    throw SourceSpecProblem(
                        description: "'push' needs a server that sends events: write push:URL; "
                            + "for readings from a script write stdin or socket:PATH")
                }
                return .push(.events(url: url))
            },
            Spelling(
                word: "stdin", form: "stdin", meaning: "readings on standard input, one a line",
                examples: ["stdin"], sample: .push(.standardInput)
            ) { $0.isEmpty ? .push(.standardInput) : nil },
            Spelling(
                word: "socket", form: "socket:PATH", meaning: "readings at a Unix socket, one a line",
                examples: ["socket:PATH"], sample: .push(.socket(path: "heart.sock"))
            ) { path throws(SourceSpecProblem) in
                guard !path.isEmpty else {
                    throw SourceSpecProblem(
                        description: "'socket' needs a path: write socket:PATH, such as socket:heart.sock")
                }
                return .push(.socket(path: path))
            },
        ])

    private static let socket = Field(
        "socket", .text(atMost: 100), "Socket",
        "The Unix socket at which readings come in, one a line; relative to the study file.",
        example: "heart.sock")
    private static let events = Field(
        "url", .webAddress, "Address", "The server that sends readings as events (text/event-stream).",
        example: "http://127.0.0.1:8080/api/sessions/7/events")

    /// A stream of the Lab Streaming Layer.
    static let lsl = SourceKind(
        variant: .init(
            word: "lsl", description: "a stream of the Lab Streaming Layer",
            fields: [stream.declaration, sourceIdentifier.declaration, host.declaration]
        ) { fields in
            .lsl(
                LabStreamChoice(
                    stream: fields[stream], sourceIdentifier: fields[sourceIdentifier], host: fields[host]))
        },
        spellings: [
            Spelling(
                word: "lsl", form: "lsl[:NAME[@HOST]]", meaning: "a stream of the Lab Streaming Layer",
                examples: ["lsl"], sample: .lsl(LabStreamChoice())
            ) { spelling in .lsl(LabStreamChoice(spelling)) }
        ])

    private static let sourceIdentifier = Field(
        "sourceId", .text(atMost: 200), "Source ID", "The stream's source_id.", example: "A09E1A2B3C4D")
    private static let host = Field(
        "host", .text(atMost: 253), "Host", "The name of the machine that sends the stream.",
        example: "lab-2")
    private static let stream = Field(
        "stream", .text(atMost: 200), "Stream",
        "The stream's name or source_id; needed if several streams of type HR are in the network.",
        example: "HR Polar H10")
}
