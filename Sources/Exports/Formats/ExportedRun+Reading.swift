import Datasets
import Results
import TextFormat

extension ExportedRun {
    /// - Throws: `MalformedBundle` if the result lacks something, or a recording does not hold what the result says.
    init(_ source: ExportSource) throws {
        self.source = source
        let results = try source.result.wanted("results").wantedList()
        guard results.count == source.stepPaths.count else {
            throw MalformedBundle("the result has other steps")
        }
        for (index, result) in results.enumerated() {
            steps.append(try Step(result, index + 1, path: source.stepPaths[index], items: source.items))
        }
    }
}

extension ExportedRun.Step {
    init(_ result: JSON, _ ordinal: Int, path: String, items: [String: JSON]) throws {
        let info = try result.wanted("userInfo")
        guard let start = info["startOffset"]?.number, let end = info["endOffset"]?.number else {
            throw MalformedBundle("a step has no times")
        }
        self.init(
            ordinal: ordinal, name: try result.wanted("identifier").wantedText(), path: path,
            visit: info["visit"]?.integer ?? 1, round: info["round"]?.integer, start: start, end: end,
            isSkipped: info["skipped"]?.boolean == true, skipReason: info["skipReason"]?.text,
            plannedDuration: info["plannedDuration"]?.number, actualDuration: info["actualDuration"]?.number)
        lateness = (info["lateness"]?.object?.members ?? []).compactMap { member in
            member.value.number.map { (member.key, $0) }
        }
        pauses = (info["pauses"]?.list ?? []).compactMap(\.span)
        recorderErrors = (info["recorderErrors"]?.list ?? []).compactMap(\.text)
        clip = try info["stimulus"].map(ExportedRun.Clip.init)
        for entry in try result.wanted("results").wantedList() {
            if entry["_class"]?.text == "ORKFileResult" {
                recordings.append(try ExportedRun.Recording(entry, items: items))
            } else {
                answers.append(
                    ExportedRun.Answer(
                        question: try entry.wanted("identifier").wantedText(),
                        kind: try entry.wanted("_class").wantedText(), value: AnswerValue(entry),
                        unit: entry["unit"]?.text))
            }
        }
    }
}

extension ExportedRun.Clip {
    init(_ json: JSON) throws {
        self.init(
            identifier: try json.wanted("identifier").wantedText(), title: json["title"]?.text,
            file: json["file"]?.text, sha256: json["sha256"]?.text, draw: json["draw"]?.text,
            onset: json["onsetOffset"]?.number, end: json["endOffset"]?.number,
            problem: json["problem"]?.text, underruns: json["underruns"]?.integer)
    }
}

extension ExportedRun.Recording {
    init(_ file: JSON, items: [String: JSON]) throws {
        let info = try file.wanted("userInfo")
        let name = try file.wanted("fileName").wantedText()
        guard let start = info["startOffset"]?.number, let end = info["endOffset"]?.number else {
            throw MalformedBundle("the recording \(name) has no times")
        }
        self.init(
            recorder: try file.wanted("identifier").wantedText(), name: name, start: start, end: end,
            coverage: info["coverage"]?.number ?? 0, lateSamples: info["lateSamples"]?.integer ?? 0,
            droppedSamples: info["droppedSamples"]?.integer ?? 0, reason: info["reason"]?.text)
        gaps = (info["gaps"]?.list ?? []).compactMap { gap in
            gap.span.map { ($0, gap["reason"]?.text ?? "no reason given") }
        }
        guard let list = items[name] else { return }
        let entries = try list.wanted("items").wantedList()
        if let promised = info["sampleCount"]?.integer, promised != entries.count {
            throw MalformedBundle("\(name) promises \(promised) samples and holds \(entries.count)")
        }
        for entry in entries { try add(entry) }
    }

    private mutating func add(_ item: JSON) throws {
        let metadata = item["metadata"]
        let value = item["value"]?.number
        let offset = metadata?["runOffset"]?.number
        let origin = item["source"]?.text ?? recorder
        switch (item["type"]?.text, value, offset) {
        case ("HKQuantityTypeIdentifierHeartRate"?, let rate?, let offset?):
            samples.append(
                ExportedRun.Sample(
                    offset: offset, arrival: metadata?["arrivalOffset"]?.number ?? offset, rate: rate,
                    intervals: (metadata?["rrIntervals"]?.list ?? []).compactMap(\.number),
                    hasContact: metadata?["sensorContact"]?.boolean, quality: metadata?["quality"]?.number,
                    origin: origin))
        case ("RRInterval"?, let length?, let offset?):
            beats.append(ExportedRun.Beat(offset: offset, length: length, origin: origin))
        case ("HKQuantityTypeIdentifierHeartRate"?, _, _), ("RRInterval"?, _, _):
            throw MalformedBundle("an item of \(name) has no value or no time")
        case (_, _, _): others += 1
        }
    }
}

extension JSON {
    /// `{"from": …, "to": …}` in seconds.
    fileprivate var span: Range<Double>? {
        guard let from = self["from"]?.number, let to = self["to"]?.number, from <= to else { return nil }
        return from..<to
    }
}
