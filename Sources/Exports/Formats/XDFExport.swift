import Datasets
import Results
import StudyModel
import TextFormat

/// One XDF file for each run, with a stream of heart rates and one of intervals between beats for each source, and
/// one of events.
struct XDFExport: ExportWriter {
    static let name = "xdf"
    static let title = "XDF"

    let order: ExportOrder

    func write(_ run: ExportedRun, at index: Int, from bundle: ResultBundle) throws {
        let name = order.names.names[index]
        // A code may occur in the bytes of numbers by chance; an eighth of a nanosecond later it does not.
        let series = try run.waveSeries()
        var file = Self.file(of: run, series, later: 0)
        // The numbers of a waveform are too many: some will look like a code wherever they are.
        for attempt in 1...20 where series.isEmpty && !order.folder.allows(file.bytes) {
            file = Self.file(of: run, series, later: Double(attempt) * 0x1p-33)
        }
        try order.folder.write(file.bytes, to: "\(name.folder)/\(name.stem).xdf", checking: file.texts)
    }

    private static func file(of run: ExportedRun, _ series: [WaveSeries], later: Double) -> XDFFile {
        let source = run.source
        let facts = [
            ("study", source.study), ("task", source.task), ("participant", source.participant),
            ("session", "\(source.session)"), ("run", source.run), ("status", source.status),
            ("origin", source.originText), ("clock", "seconds since the run's start"),
        ]
        let description = facts.map { "<\($0.0)>\(XMLText.escaped($0.1))</\($0.0)>" }.joined()
        var file = XDFFile(datetime: run.time(0))
        let rates = Dictionary(grouping: run.samples, by: \.source)
        for (origin, samples) in sources(rates) {
            let recorders = recorders(in: run) { $0.heartRates.contains { $0.source == origin } }
            file.append(
                .numbers(samples.map { ($0.runOffset + later, $0.value) }), name: "HeartRate", type: "HR",
                unit: "1/min", source: origin, description: description + recorders)
        }
        let intervals = Dictionary(grouping: OpenMHealthExport.intervals(in: run), by: \.origin)
        for (origin, intervals) in sources(intervals) {
            let recorders = recorders(in: run) { items in
                items.intervals.contains { $0.source == origin }
                    || items.heartRates.contains { $0.source == origin && !$0.rrIntervals.isEmpty }
            }
            file.append(
                .numbers(intervals.map { ($0.end + later, $0.length) }), name: "RRIntervals", type: "RR",
                unit: "s", source: origin, description: description + recorders)
        }
        for (signal, numbers) in run.numbers {
            for (origin, numbers) in sources(Dictionary(grouping: numbers, by: \.source)) {
                file.append(
                    .numbers(numbers.map { ($0.runOffset + later, $0.value) }), name: signal.name,
                    type: signal.streamType, unit: signal.unit, source: origin,
                    description: description + told(numbers.map(\.recorder)))
            }
        }
        for series in series {
            file.append(series, later: later, description: description)
        }
        for rating in run.ratings {
            file.append(
                .numbers(rating.points.map { ($0.runOffset + later, $0.value) }), name: rating.name,
                type: "Rating", unit: nil, source: nil,
                description: description + told(rating.points.map(\.recorder)))
        }
        file.append(
            .texts(markers(of: run).map { ($0.time + later, $0.text) }), name: "Events", type: "Markers",
            unit: nil,
            source: nil, description: description)
        return file
    }

    /// The recorders whose files hold what `isWanted` accepts, as a part of a description.
    private static func recorders(in run: ExportedRun, _ isWanted: (RecordedItems) -> Bool) -> String {
        told(run.steps.flatMap(\.recordings).filter { isWanted(run.items(of: $0)) }.map(\.recorder))
    }

    private static func told(_ recorders: [String]) -> String {
        Set(recorders).sorted().map { "<recorder>\(XMLText.escaped($0))</recorder>" }.joined()
    }

    /// Items by the name of their source; one without a name if there is none, because the streams are always
    /// present.
    private static func sources<Item>(_ all: [String: [Item]]) -> [(origin: String?, items: [Item])] {
        if all.isEmpty { return [(nil, [])] }
        return all.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The events, each as a JSON object.
    private static func markers(of run: ExportedRun) -> [(time: Double, text: String)] {
        var markers: [(time: Double, marker: JSON)] = []
        for step in run.steps {
            let place: [String: JSON] = ["step": .text(step.path), "visit": .integer(step.visit)]
            func add(_ event: String, at time: Double, _ members: [String: JSON] = [:]) {
                let all = place.merging(members) { $1 }.merging(["event": .text(event)]) { $1 }
                markers.append((time, .members(all)))
            }
            add("stepShown", at: step.start)
            if let clip = step.clip, let onset = clip.onset {
                let stimulus: [String: JSON] = ["stimulus": .text(clip.identifier)]
                add("stimulusOnset", at: onset, stimulus)
                add("stimulusEnd", at: clip.end ?? step.end, stimulus)
            }
            for (begin, end, spans) in [
                ("paused", "resumed", step.pauses), ("programStoodStill", "programWentOn", step.standstills),
            ] {
                for span in spans {
                    add(begin, at: span.lowerBound)
                    add(end, at: span.upperBound)
                }
            }
            for (cue, moments) in step.orderedRepeatedCues {
                for moment in moments { add("cue", at: moment, ["cue": .text(cue)]) }
            }
            for change in step.clip?.changes ?? [] {
                let members: [String: JSON] = ["gain": .real(change.gain), "tempo": .real(change.tempo)]
                add("stimulusChange", at: change.offset, members)
            }
            for response in responses(in: step, of: run) {
                add(response.event, at: response.time, response.members)
            }
            for answer in step.answers {
                var members: [String: JSON] = ["question": .text(answer.question)]
                members["answer"] =
                    answer.number.map { .real($0) } ?? answer.text.map { .text($0) }
                if let prompt = answer.prompt {
                    members["prompt"] = .integer(prompt.number)
                    if let shown = prompt.shown {
                        add("prompted", at: shown, members.filter { $0.key != "answer" })
                    }
                }
                if let reaction = answer.reaction {
                    members["reactionTime"] = reaction.time.map { .real($0) }
                    members["measuredFrom"] = reaction.measuredFrom.map { .text($0) }
                    members["right"] = reaction.isRight.map { .boolean($0) }
                }
                let isMissing = answer.prompt?.isTimedOut == true
                add(
                    isMissing ? "promptMissed" : "answered",
                    at: answer.prompt?.ended ?? answer.reaction?.pressed ?? step.end, members)
            }
            add("stepLeft", at: step.end)
        }
        return markers.sorted { $0.time < $1.time }.map {
            ($0.time, String(decoding: $0.marker.encoded(), as: UTF8.self))
        }
    }

    /// What was tapped and displayed in a step.
    private static func responses(in step: ResultBundle.Visit, of run: ExportedRun)
        -> [(event: String, time: Double, members: [String: JSON])]
    {
        let items = step.recordings.map { run.items(of: $0) }
        return items.flatMap(\.taps).map { tap in
            var members: [String: JSON] = ["key": .text(tap.key)]
            members["asynchrony"] = tap.asynchrony.map { .real($0) }
            members["beat"] = tap.beat.map { .integer($0) }
            return ("tap", tap.runOffset, members)
        }
            + items.flatMap(\.displays).map { display in
                var members: [String: JSON] = [
                    "display": .text(display.display), "shown": .text(display.shown.name),
                ]
                members["value"] = display.shown.value.map { .real($0) }
                return ("displayed", display.runOffset, members)
            }
    }
}
