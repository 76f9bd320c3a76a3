import StudyModel

/// Sources that live outside of the program: straps, servers, scripts, streams.
enum LiveSourceVariants {
    static let all = [bluetooth, poll, push, lsl]

    private static let name = Field(
        "name", .text(atMost: 248), "Name",
        "The strap's name, or how it begins; needed where several straps are in reach.", example: "Polar H10")
    private static let address = Field(
        "address", .deviceAddress, "Address", "The strap's address, as 'entrain sources --scan' lists it.",
        example: "A0:9E:1A:2B:3C:4D")

    private static let bluetooth = Variants<SourceConfiguration>.Variant(
        word: "bluetooth", description: "a heart-rate strap",
        fields: .of(name, address), rules: [.atMostOne(["name", "address"])]
    ) { fields in
        if let address = fields[address] { return .bluetooth(.at(address: address)) }
        return .bluetooth(fields[name].map { .named($0) } ?? .only)
    }

    private static let polled = Field(
        "url", .webAddress, isRequired: true, "Address",
        "The server to ask; '{cursor}' in it stands for where the last answer ended.",
        example: "https://example.org/sessions/7/heart-rate")
    private static let interval = Field(
        "interval", .duration(), usual: "10 s", "Interval", "From one question to the next, 1 s to an hour.",
        example: "5 s")

    private static let poll = Variants<SourceConfiguration>.Variant(
        word: "poll", description: "a server that is asked again and again",
        fields: .of(polled, interval)
    ) { fields in
        let interval = fields.located(interval)
        if let interval, !(Duration.seconds(1)...Duration.seconds(3600)).contains(interval.value) {
            fields.reading.report(
                .outOfRange, "a server is asked every second at most, and every hour at least",
                at: interval.range, help: "write a duration from 1 s to 60 min")
        }
        guard let url = fields[polled] else { return nil }
        return .poll(PolledServer(url: url, interval: interval?.value ?? .seconds(10)))
    }

    private static let socket = Field(
        "socket", .text(atMost: 100), "Socket",
        "The Unix socket at which readings come in, one a line; relative to the study file.",
        example: "heart.sock")
    private static let events = Field(
        "url", .webAddress, "Address", "The server that sends readings as events (text/event-stream).",
        example: "http://127.0.0.1:8080/api/sessions/7/events")

    private static let push = Variants<SourceConfiguration>.Variant(
        word: "push",
        description:
            "a program that sends readings: to a socket, as a server's events, or else to standard input",
        fields: .of(socket, events), rules: [.atMostOne(["socket", "url"])]
    ) { fields in
        if let path = fields[socket] { return .push(.socket(path: path)) }
        return .push(fields[events].map { .events(url: $0) } ?? .standardInput)
    }

    private static let stream = Field(
        "stream", .text(atMost: 200), "Stream",
        "The stream's name or source_id; needed where several streams of type HR are in the network.",
        example: "HR Polar H10")

    private static let lsl = Variants<SourceConfiguration>.Variant(
        word: "lsl", description: "a stream of the Lab Streaming Layer", fields: .of(stream)
    ) { fields in .lsl(stream: fields[stream]) }
}
