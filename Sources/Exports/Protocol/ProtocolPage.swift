import Results
import StudyEngine
package import StudyModel
import TextFormat

/// What a study does, on one page for people who do not read study files: ethics committees, registrations, and
/// readers of the methods section.
package struct ProtocolPage {
    let source: Source
    let study: Study
    /// The tasks as participants do them, shown once for all arms in which they are the same.
    let tasks: [ShownTask]

    /// A study, with the other contents of its page.
    package struct Source {
        /// The study; if it has arms, in any of them.
        package var study: Study
        /// The file's name.
        package var name: String
        /// The file.
        package var text: [UInt8]
        /// Every other text file that the study uses, by path relative to the study.
        package var files: [String: String]
        /// The measurements of the clips, by path relative to the study.
        package var clips: [String: ClipFile]
        /// The version of the program.
        package var program: String

        package init(
            study: Study, name: String, text: [UInt8], files: [String: String], clips: [String: ClipFile],
            program: String
        ) {
            (self.study, self.name, self.text) = (study, name, text)
            (self.files, self.clips, self.program) = (files, clips, program)
        }
    }

    /// The measurements of a clip's file.
    package struct ClipFile {
        /// Lower-case hexadecimal.
        package var sha256: String
        package var length: Duration

        package init(sha256: String, length: Duration) { (self.sha256, self.length) = (sha256, length) }
    }

    /// A task with its number, and the arms that have it in this form.
    struct ShownTask {
        var task: Study.Task
        /// Empty if all arms have the same.
        var arms: [Identifier]
        var steps: [ProtocolStep]
        /// The plan of the first participant; `nil` if none can be made.
        var plan: RunPlan?
        /// The longest total time of its timed steps.
        var longest = Duration.zero

        var name: String {
            arms.isEmpty ? task.identifier.text : "\(task.identifier), arm \(listed(arms.map(\.text)))"
        }
    }

    package init(of source: Source) {
        (self.source, study) = (source, source.study)
        var shown: [ShownTask] = []
        for place in source.study.tasks.indices {
            var versions: [(shown: ShownTask, conditions: [StimulusSet])] = []
            for version in source.study.inEachArm where version.tasks.indices.contains(place) {
                let task = version.tasks[place]
                let plan = version.firstPlan(of: task)
                // Arms may have tables of their own.
                let known = versions.firstIndex {
                    $0.shown.task == task && $0.conditions == version.conditions
                }
                if known == nil {
                    let steps = ProtocolStep.all(of: task, in: version)
                    versions.append(
                        (ShownTask(task: task, arms: [], steps: steps, plan: plan), version.conditions))
                }
                let own = known ?? versions.count - 1
                versions[own].shown.arms += [version.arm].compactMap(\.self)
                versions[own].shown.longest = max(versions[own].shown.longest, plan?.longestTime ?? .zero)
            }
            if versions.count == 1 { versions[0].shown.arms = [] }
            shown += versions.map(\.shown)
        }
        tasks = shown
    }

    /// The study's name for people, in its first language.
    var title: String { study.title.text(in: study.languages.first) }

    /// The study that the page is about.
    package var subject: String { "\(study.identifier), revision \(study.revision)" }

    /// How much of the guideline the study leaves open, in words.
    package var openItems: String {
        let items = guidelineItems
        let (silent, partial) = (
            items.count { $0.said.isEmpty }, items.count { !$0.said.isEmpty && !$0.open.isEmpty }
        )
        return
            "of \(items.count) items of the guideline the study says nothing of \(silent), and not all of \(partial)"
    }

    /// The page.
    package var text: String {
        var page = ReportPage(title: "Protocol: \(title)", style: Self.style)
        for section in shown { page.addSection(section.heading, section.html) }
        page.add("<section><h2>In detail</h2>\n\(contents)")
        for (place, section) in sections.enumerated() {
            page.add(
                "<details><summary><h3>\(HTML.escaped(section.heading))</h3></summary>\n"
                    + "<div id=\"part\(place + 1)\">\(section.html)</div></details>\n")
        }
        page.add(
            "</section><footer>Entrain \(HTML.escaped(source.program)) made this page from the study file "
                + "\(HTML.escaped(source.name)).</footer>\n")
        return page.text
    }

    /// What every reader wants to know.
    private var shown: [(heading: String, html: String)] {
        [
            ("What happens to a participant", overview), ("What is measured", sources),
            ("Leaving, and what becomes of the data", care),
            ("What the study is meant to find out", outcomes),
        ]
    }

    private var sections: [(heading: String, html: String)] {
        [("The study and its languages", titles)] + (study.sessions.isEmpty ? [] : [("Sessions", sessions)])
            + tasks.map { ("Task \($0.name)", html(of: $0)) } + [
                ("What depends on chance", chance), ("Clips and conditions", materials),
                ("What is stored, and how it can be shared", stored),
                ("Reporting guideline for music-based interventions", guideline),
                ("Versions and checksums", versions),
            ]
    }

    private var contents: String {
        let items = sections.enumerated().map { place, section in
            "<li><a href=\"#part\(place + 1)\">\(HTML.escaped(section.heading))</a></li>"
        }
        return "<nav aria-label=\"Contents\"><ol>\(items.joined())</ol></nav>\n"
    }

    private var facts: [(name: String, value: String)] {
        let longest = tasks.map(\.longest).max() ?? .zero
        let time =
            tasks.contains { $0.plan == nil }
            ? "not known" : longest > .zero ? "at most \(longest.words)" : "none"
        return [
            ("Study", study.identifier.text), ("Revision", "\(study.revision)"),
            ("Tasks", "\(study.tasks.count)"), ("Arms", study.arms.isEmpty ? "none" : "\(study.arms.count)"),
            ("Clips", "\(clips.count)"),
            ("Timed steps of a run", time),
        ]
    }

    private var titles: String {
        let languages =
            study.languages.isEmpty
            ? "The study does not say in which language its texts are. They are the same for everybody."
            : "The texts are given in \(listed(study.languages.map(\.tag))). The first is used if nobody chooses."
        return HTML.facts(facts) + HTML.sentences([languages])
            + Self.html(of: [(Wording("title", study.title), [])])
    }
}

extension Study {
    /// The plan of the first participant; `nil` if none can be made.
    fileprivate func firstPlan(of task: Study.Task) -> RunPlan? {
        do throws(PlanProblem) {
            return try RunPlan(
                drawing: self, task: task, participant: "1", number: 1, session: 1, seed: seed ?? 1)
        } catch {
            return nil
        }
    }
}
