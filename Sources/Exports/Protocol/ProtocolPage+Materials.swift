import StudyModel
import TextFormat

extension ProtocolPage {
    var clips: [Stimulus] { study.clips }

    /// Sets, clips with everything that their catalogues say, and tables of conditions.
    var materials: String {
        let sets = study.stimulusSets.map { set in
            "The set \(set.identifier) has \(counted(set.pool.count, "clip")): \(listed(set.pool.map(\.identifier.text)))."
        }
        var html = HTML.sentences(
            sets
                + (clips.isEmpty
                    ? ["The study plays no clips."] : ["The catalogues say this about the clips:"])
        )
        if !study.images.isEmpty {
            html = HTML.sentences(["The study shows these pictures: \(listed(study.images))."]) + html
        }
        if !clips.isEmpty { html += table(of: clips) }
        let arms = study.inEachArm
        for (place, study) in arms.enumerated() {
            for conditions in study.conditions {
                // A table that all arms share is shown only once.
                let isShared = arms.allSatisfy { $0.conditions.contains(conditions) }
                guard !isShared || place == 0 else { continue }
                let arm = isShared ? "" : study.arm.map { ", in the arm \($0)" } ?? ""
                html +=
                    "<p>The conditions \(HTML.escaped(conditions.identifier.text + arm)):</p>\n"
                    + Self.table(of: conditions.pool)
            }
        }
        return html
    }

    /// Keys of a catalogue that have no column of their own.
    static func attributes(of clips: [Stimulus]) -> [String] {
        let own: Set = ["id", "identifier", "file", "title", "sha256", "duration", "silence"]
        return Set(clips.flatMap(\.attributes.keys)).subtracting(own).sorted()
    }

    private func table(of clips: [Stimulus]) -> String {
        let keys = Self.attributes(of: clips)
        let columns = ["name", "title", "length"] + keys
        return HTML.table(
            columns.map { ($0, false) },
            clips.map { clip in
                let length = source.clips[clip.path]?.length ?? clip.duration
                let cells =
                    [
                        clip.identifier.text,
                        clip.isSilent ? "silence" : clip.title ?? (clip.isClicks ? "clicks" : ""),
                        length.map { seconds($0.seconds) } ?? "",
                    ] + keys.map { clip.attributes[$0] ?? "" }
                return cells.map(HTML.cell)
            })
    }

    private static func table(of conditions: [Stimulus]) -> String {
        let keys = attributes(of: conditions)
        return HTML.table(
            (["name"] + keys).map { ($0, false) },
            conditions.map { row in
                ([row.identifier.text] + keys.map { row.attributes[$0] ?? "" }).map(HTML.cell)
            })
    }

    /// The recorders with the steps that they record, and the sources.
    var sources: String {
        var rows: [[String]] = []
        let place = { (shown: ShownTask) in tasks.count > 1 ? "\(shown.name): " : "" }
        for shown in tasks {
            for span in shown.task.recorders {
                rows.append(Self.row(span.recorder, place(shown) + "\(span.from) to \(span.to)"))
            }
            for step in shown.steps.flatMap(\.withInner) {
                rows += step.recorders.map {
                    Self.row($0, place(shown) + "\(step.number) \(title(of: step) ?? step.identifier.text)")
                }
            }
        }
        guard !rows.isEmpty else {
            return HTML.sentences(["The study has no recorders. It keeps answers and the course of the run."])
        }
        let head = ["what", "during", "source", "unit", "recorder", "files begin with"].map { ($0, false) }
        let said = study.sources.map { "The source \($0.identifier) is \($0.configuration.words)." }
        return HTML.table(Array(head.prefix(3)), rows.map { Array($0.prefix(3)) }.distinct(by: \.self))
            + HTML.sentences(
                said + [
                    "The person who starts a run may name another source; the result says which one was used.",
                    "A time without a signal is kept as a gap, with its reason.",
                ]) + HTML.details("Units, recorders and files", HTML.table(head, rows))
    }

    private static func row(_ recorder: RecorderConfiguration, _ during: String) -> [String] {
        [
            recorder.signal.meaning, during, recorder.sourceName?.text ?? "the run itself",
            recorder.signal.unit ?? "", recorder.identifier.text, recorder.signal.type + "_",
        ].map(HTML.cell)
    }
}

extension SourceConfiguration {
    /// What it is, in words that follow "The source is".
    fileprivate var words: String {
        switch self {
        case .simulated: "a simulated heart: it measures nobody"
        case .replay(let path): "the recording \(path), played again"
        case .bluetooth(.only): "a heart-rate strap, the only one in reach"
        case .bluetooth(.named(let name)): "the heart-rate strap '\(name)'"
        case .bluetooth(.at(let address)): "the heart-rate strap \(address)"
        case .poll(let server): "the server \(server.url), asked every \(server.interval.words)"
        case .push(.standardInput): "a program that sends readings"
        case .push(.socket(let path)): "a program that sends readings to the socket \(path)"
        case .push(.events(let url)): "the stream of events at \(url)"
        case .lsl(let choice):
            choice.words.map { "\($0) of the Lab Streaming Layer" }
                ?? "the only stream of the Lab Streaming Layer"
        case .camera(.device(let path, let settings)): "a fingertip on the camera \(path)" + settings.words
        case .camera(.file(let path)): "a fingertip in the video \(path)"
        case .control(let device):
            device.kind == .joystick
                ? "the joystick \(device.path), which moves the mark of a rating"
                : "the MIDI device \(device.path), which moves the mark of a rating"
        }
    }
}

extension CameraSettings {
    /// What is set, in words that follow the camera's name; empty if nothing is.
    fileprivate var words: String {
        let parts = [
            size.map { "pictures of \($0)" }, rate.map { "\(plainNumber($0)) a second" },
            locksExposure ? "its exposure locked" : nil, torch.map { $0 ? "its torch on" : "its torch off" },
        ].compactMap { $0 }
        return parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
    }
}
