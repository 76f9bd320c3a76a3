import Hashing
import Results
import StudyModel
import TextFormat

extension ProtocolPage {
    /// What a run stores, who can read it, what can leave the machine, and what might reveal who took part.
    var stored: String {
        let files = HTML.table(
            [("file of a result", false), ("holds", false)], Self.files.map { $0.map(HTML.cell) })
        let answers = answerRows
        return "<p>Each run leaves one folder on the machine that runs it.</p>\n" + files
            + (answers.isEmpty
                ? ""
                : "<p>These answers are kept, each with when it was seen, changed and sent:</p>\n"
                    + HTML.table(["question", "answer", "task"].map { ($0, false) }, answers))
            + HTML.sentences(sharing + programs)
    }

    /// What concerns the safety and the privacy of participants.
    var care: String {
        let parts = [
            ("Leaving", [leaving] + tasks.compactMap(\.task.resume?.sentence).distinct(by: \.self)),
            ("What may reveal who took part", identity), ("Who can read the data", access),
        ]
        let items = parts.map { name, said in
            "<div><dt>\(name)</dt><dd>\(HTML.sentences(said))</dd></div>"
        }
        return "<dl class=\"items\">\(items.joined(separator: "\n"))</dl>\n"
            + "<p class=\"open\">How long the data are kept, and who may see them, is not said in the study.</p>\n"
    }

    private var leaving: String {
        study.kiosk == nil
            ? "Participants may leave at any moment. What was recorded until then is kept."
            : "Participants need a word from the staff to leave or to pause a run."
    }

    private static let files = [
        ["result.json", "every step with its times, answers, clip and files"],
        ["steps/…/result.json", "the same for each visit of a step"],
        ["steps/…/*.json", "what a recorder wrote, each value with its time"],
        ["plan.json", "every draw, the participant's code and the number of the session"],
        ["study.yaml", "the study, byte for byte"],
        [
            "journal.jsonl",
            "every event with its time: each answer, each draft, what was shown and heard; the time zone",
        ],
        [
            "manifest.json",
            "the participant's code, the date, the version of the program, and the list of files",
        ],
        ["SHA256SUMS", "the checksums of all other files"],
    ]

    /// Everything that is asked, with its task.
    private var questions: [(step: ProtocolStep, question: Question, task: String)] {
        tasks.flatMap { shown in
            shown.steps.flatMap(\.withInner).flatMap { step in
                step.said(\.questions).map { (step, $0.thing, shown.name) }
            }
        }
    }

    private var answerRows: [[String]] {
        questions.map { [$0.question.identifier.text, $0.question.format.words, $0.task].map(HTML.cell) }
            .distinct(by: \.self)
    }

    private var identity: [String] {
        var said = ["A participant is identified by a code. The person who starts the run chooses the code."]
        let signed = allSteps.filter { $0.step.consent?.isSignatureTyped == true }
        if !signed.isEmpty {
            said.append("The typed name is kept: \(listed(signed.map(\.identifier.text))).")
        }
        let written = names { $0.isFreelyWritten }
        if !written.isEmpty {
            said.append("Participants write words of their own, which may reveal who they are: \(written).")
        }
        let dates = names { $0.kind == .date }
        if !dates.isEmpty { said.append("They give dates, which may reveal who they are: \(dates).") }
        if allRecorders.contains(where: { $0.signal == .audio }) {
            said.append("A microphone records, and may record voices.")
        }
        if allRecorders.contains(where: { $0.signal == .pulseWaveform }) {
            said.append("Of the camera's pictures only the mean colours are kept.")
        }
        return said + [
            "What participants type or choose and do not send is kept, too, and marked as a draft."
        ]
    }

    private func names(_ isMeant: (AnswerFormat) -> Bool) -> String {
        listed(
            questions.map(\.question).filter { isMeant($0.format) }.map(\.identifier.text).distinct(
                by: \.self))
    }

    private var access: [String] {
        [
            "Only the account that ran the study can read the files.",
            "Nothing is changed after the run. Checksums show a change.",
            "The program deletes nothing by itself.",
            "Nothing leaves the machine, unless the run is started with a monitor, a server for watching runs.",
            "With a monitor, data are sent while the run lasts: the study, the steps, heart rates, ratings, and what happens.",
            "What the participant writes, dates and signatures are not sent to it.",
            "Data that could not be sent by the end of the run wait beside the results, and are sent later.",
            "The monitor keeps what it has received until its data folder is deleted.",
        ]
    }

    private var sharing: [String] {
        [
            "Tables, reports and exports can be pseudonymised: codes become other words, by a secret key.",
            "Then typed answers, signatures, answered dates and sound are left out. Dates can be moved by a secret number of days.",
            "The remaining data can still reveal who took part: choices, numbers, times of day, clips.",
        ]
    }

    private var programs: [String] {
        let names = allSteps.filter { $0.step.program != nil }.map(\.identifier.text)
        guard !names.isEmpty else { return [] }
        return [
            "Programs of the study's author work in \(listed(names)). What they store by themselves is not said in the study."
        ]
    }

    /// The study's text and everything that it uses, with checksums.
    var versions: String {
        let clips = clips.filter(\.hasFile)
        var rows = [[source.name, "the study", SHA256.hexadecimal(of: source.text)]]
        rows += source.files.sorted { $0.key < $1.key }.map { path, text in
            [path, "used by the study", SHA256.hexadecimal(of: text)]
        }
        rows += clips.distinct(by: \.path).map { clip in
            [
                clip.path, "clip \(clip.identifier)",
                source.clips[clip.path]?.sha256 ?? clip.sha256 ?? "not known",
            ]
        }
        return HTML.sentences([
            "The study is \(study.identifier), revision \(study.revision).",
            "The format of the study file is version 1.",
            "The program is Entrain \(source.program).",
            "Each result holds the study, and the checksums of what it used.",
        ])
            + HTML.table(
                [("file", false), ("what it is", false), ("SHA-256", false)], rows.map { $0.map(HTML.cell) })
    }
}
