import StudyModel
import TextFormat

/// An item of a reporting guideline, with what a study says about it.
struct GuidelineItem {
    var code: String
    var name: String
    /// What the guideline asks for, in a sentence.
    var asked: String
    /// What the study says; empty if it says nothing.
    var said: [String]
    /// What the study leaves open, in words that follow "Not said in the study:"; empty if that is nothing.
    var open = ""
}

/// Robb, S. L., Burns, D. S., & Carpenter, J. S. (2011). Reporting guidelines for music-based interventions. Journal of
/// Health Psychology, 16(2), 342–352. https://doi.org/10.1177/1359105310374781
extension ProtocolPage {
    var guideline: String {
        let items = guidelineItems.map { item in
            let said = HTML.sentences(item.said)
            let open =
                item.said.isEmpty
                ? "<p class=\"open\">Not said in the study.</p>"
                : item.open.isEmpty
                    ? "" : "<p class=\"open\">\(HTML.escaped("Not said in the study: \(item.open)."))</p>"
            return
                "<div><dt>\(HTML.escaped("\(item.code). \(item.name)"))</dt><dd><p>\(HTML.escaped(item.asked))</p>\(said)\(open)</dd></div>"
        }
        let note =
            clips.isEmpty
            ? "<p>This study plays no clips. The guideline is for studies in which music is the intervention.</p>\n"
            : ""
        return
            "<p>These are the items of Robb, Burns and Carpenter (2011), Reporting guidelines for music-based interventions, "
            + "Journal of Health Psychology 16(2), 342–352, doi:10.1177/1359105310374781.</p>\n" + note
            + "<dl class=\"items\">\(items.joined(separator: "\n"))</dl>\n"
    }

    var guidelineItems: [GuidelineItem] { [theory] + content + delivery }

    private var theory: GuidelineItem {
        GuidelineItem(
            code: "A", name: "Intervention theory",
            asked: "Why this music was chosen, and how it is expected to act on the outcomes.", said: [])
    }

    private var content: [GuidelineItem] {
        [
            GuidelineItem(
                code: "B", name: "Intervention content",
                asked: "What is done, in detail, and how it is fitted to each participant.",
                said: playing.isEmpty ? [] : ["The steps are listed under each task above.", tailoring]),
            GuidelineItem(
                code: "B.1", name: "Person selecting the music",
                asked: "Who chose the music: the investigators or the participant, and from what.",
                said: selection),
            GuidelineItem(
                code: "B.2", name: "Music",
                asked: "Which music it is: the recording or the score, or how it is made.",
                said: clips.filter(\.hasFile).map(\.reference) + withoutFile,
                open: clips.isEmpty
                    ? "" : "details that the catalogue leaves out, such as the performers or the recording"),
            GuidelineItem(
                code: "B.3", name: "Music delivery method",
                asked:
                    "Live or recorded; the equipment and where it stands; who sets the volume, and its level in decibels.",
                said: deliverySentences,
                open: clips.isEmpty
                    ? ""
                    : "headphones or loudspeakers, where they stand, the volume in decibels, and who sets it"),
            GuidelineItem(
                code: "B.4", name: "Intervention materials", asked: "What else is used, musical or not.",
                said: materialSentences, open: materialSentences.isEmpty ? "" : "any other material"),
            GuidelineItem(
                code: "B.5", name: "Intervention strategies",
                asked: "What is done with the music, such as listening, moving or singing.",
                said: playing.isEmpty
                    ? [] : ["Participants listen to recorded clips in \(listed(playing))."] + whileListening,
                open: playing.isEmpty
                    ? "" : "what participants are told to do meanwhile, beyond the wordings above"),
        ]
    }

    private var delivery: [GuidelineItem] {
        let ordered = study.nextTask == nil || study.nextTask == .menu ? nil : study.tasks.count
        let count = study.sessions.isEmpty ? ordered : study.sessions.count
        let isTimed =
            study.sessions.count > 1 && study.sessions.dropFirst().allSatisfy { $0.after?.days != nil }
        return [
            GuidelineItem(
                code: "C", name: "Intervention delivery schedule",
                asked: "How many sessions there are, how long each is, and how often they come.",
                said: (count.map { ["There are \(counted($0, "session")), each with one task."] } ?? [])
                    + lengths,
                open: isTimed || study.sessions.count == 1
                    ? ""
                    : count == nil
                        ? "the number of sessions and the time between them" : "the time between sessions"),
            GuidelineItem(
                code: "D", name: "Interventionist",
                asked: "Who delivers the intervention: how many people, and with what training.",
                said: [
                    "The program shows every text, plays every clip and times every step."
                ], open: "who is with the participant, and with what training"),
            GuidelineItem(
                code: "E", name: "Treatment fidelity",
                asked: "What makes sure that the intervention is delivered as intended.",
                said: [
                    "The program follows the plan of the run. The result says how late each planned moment was.",
                    "For each clip it says which it was, when it was heard, and whether it was heard whole.",
                    "'entrain verify' goes through the run again, and compares its draws, its files and its results.",
                ], open: "the training of the staff, and any watching of sessions"),
            GuidelineItem(
                code: "F", name: "Setting",
                asked: "Where it happens: the place, how private and how loud it is.",
                said: quiet, open: quiet.isEmpty ? "" : "the place, and how private it is"),
            GuidelineItem(
                code: "G", name: "Unit of delivery",
                asked: "Whether single people or groups take part, and how large these are.",
                said: ["Each run is of one participant."],
                open: "whether several participants sit in one room"),
        ]
    }

    /// The names of the steps that play clips.
    private var playing: [String] {
        allSteps.filter { $0.step.stimulus != nil }.map(\.identifier.text).distinct(by: \.self)
    }

    private var choices: [Stimulus.Use.Choice] {
        allSteps.flatMap(\.variants).compactMap { $0.step.stimulus?.choice }
    }

    private var isChosen: Bool { choices.contains { if case .answered = $0 { true } else { false } } }

    private var tailoring: String {
        if isChosen { return "The participant's answer decides which clip is played." }
        return allSteps.contains { !$0.step.navigation.conditions.isEmpty }
            ? "Rules may leave steps out; they are listed with each step."
            : "Every participant goes through the same steps."
    }

    private var selection: [String] {
        guard !clips.isEmpty else { return [] }
        var said = ["The clips were selected beforehand: \(counted(clips.count, "clip"))."]
        if isChosen { said.append("The participant selects from this limited set.") }
        let isDrawn = choices.contains { if case .draw = $0 { true } else { false } }
        if isDrawn { said.append("Which of them a participant hears is drawn, as described above.") }
        return said
    }

    private var withoutFile: [String] {
        clips.filter { !$0.hasFile }.map { clip in
            let length = clip.duration.map { " of \($0.words)" } ?? ""
            return clip.isClicks
                ? "\(clip.identifier)\(length) consists of clicks that the program makes, one at each beat."
                : "\(clip.identifier) is silence\(length)."
        }
    }

    private var deliverySentences: [String] {
        guard !clips.isEmpty else { return [] }
        var gains: Set<Double> = []
        for step in allSteps.flatMap(\.variants) {
            step.step.stimulus.map { _ = gains.insert($0.settings.gain) }
        }
        gains.formUnion(study.tasks.flatMap(\.music).map(\.use.settings.gain))
        let changed = gains.filter { $0 != 0 }.sorted().map { "\(plainNumber($0)) dB" }
        return [
            "The music is recorded, and played by the machine that runs the study.",
            changed.isEmpty
                ? "The program plays every clip at the level of its file."
                : "The program changes the level of clips by \(listed(changed)).",
        ] + (study.tasks.contains(where: \.isAudioRequired) ? ["No run goes on without sound."] : [])
    }

    private var materialSentences: [String] {
        let measured = allRecorders.map(\.signal).filter(\.isMeasured).distinct(by: \.self).map(\.quantity)
        let programs = allSteps.compactMap(\.step.program).compactMap(\.command.first)
        return [
            measured.isEmpty ? nil : "What measures \(listed(measured)) is worn or used.",
            programs.isEmpty ? nil : "These programs take part: \(listed(programs)).",
        ].compactMap(\.self)
    }

    private var whileListening: [String] {
        let steps = allSteps.filter { $0.step.stimulus != nil }.map(\.step)
        return [
            steps.contains { $0.recorders.contains { $0.signal == .rating } }
                ? "They rate continuously meanwhile." : nil,
            steps.contains(where: \.hasPrompts) ? "They are asked questions meanwhile." : nil,
        ].compactMap(\.self)
    }

    private var lengths: [String] {
        tasks.compactMap { shown in
            shown.longest > .zero
                ? "The timed steps of task \(shown.name) last at most \(shown.longest.words)." : nil
        }
    }

    private var quiet: [String] {
        tasks.contains(where: \.task.observesSoundLevel)
            ? ["A microphone measures how loud it is, and a rule looks at that."] : []
    }
}

extension Stimulus {
    /// What its catalogue says about it, in a sentence.
    fileprivate var reference: String {
        let said = ProtocolPage.attributes(of: [self]).map { "\($0) \(attributes[$0] ?? "")" }
        return "\(name), file \(file)\(said.isEmpty ? "" : ": \(said.joined(separator: ", "))")."
    }
}
