package import Analysing
import Datasets
package import Deidentifying
package import Participants
package import Platform
import Results
import StudyModel
import TextFormat

/// A page about many runs: who took part, how balanced the clips were, how hearts responded, and how good the data are.
package struct DatasetReport {
    private let analysis: Analysis
    private let origin: ReportOrigin
    private var sessions: [RecordedSession] { analysis.sessions }

    /// How many runs there are.
    package var runs: Int { sessions.count }
    package var leftOut: LeftOut { analysis.leftOut }

    /// - Parameters:
    ///   - paths: datasets, bundles, or folders with bundles.
    ///   - selection: which runs count, and which are pooled.
    ///   - origin: how the report is made.
    ///   - random: the generator for sign flips.
    /// - Throws: `FileFailure` if a dataset or a folder cannot be read.
    package init(
        of paths: [String], taking selection: RunSelection, privacy: Privacy? = nil,
        made origin: ReportOrigin,
        using random: inout some RandomNumberGenerator
    ) async throws {
        self.origin = origin
        analysis = try await Analysis(of: paths, taking: selection, privacy: privacy, using: &random)
    }

    /// Whether a folder holds a dataset or bundles, rather than being a bundle itself.
    ///
    /// - Throws: `FileFailure` if the folder cannot be listed.
    package static func isCollection(_ path: String) throws(FileFailure) -> Bool {
        var search = BundleSearch(known: [])
        try search.look(in: path)
        return search.bundles != [path] && search.leftOut.damaged.map(\.path) != [path]
    }

    /// The page, and beside it the list of everything that was left out if that is too much for the page, after
    /// checking that they contain nothing that must not leave.
    package func checkedPage() throws(FileFailure) -> (page: String, list: String?) {
        let page = html
        let isLong = analysis.studies.contains { $0.exclusions.count > Self.mostRows }
        let list = isLong ? self.list : nil
        for deidentification in analysis.deidentifications {
            _ = try deidentification.checked(page)
            if let list { _ = try deidentification.checked(list) }
        }
        return (page, list)
    }

    /// A line of comma-separated values for each clip and each visit that was left out.
    private var list: String {
        var lines = [["study", "outcome", "participant", "run", "clip", "why"]]
        for study in analysis.studies {
            lines += study.exclusions.map {
                [study.title, "", $0.participant, $0.run, $0.clip, $0.reason.rawValue]
            }
            for outcome in study.outcomes {
                lines += outcome.exclusions.map {
                    [study.title, outcome.title, $0.participant, $0.run, "", $0.reason.rawValue]
                }
            }
        }
        return lines.map {
            $0.map { $0.isEmpty ? "" : CommaSeparated.cell($0) }.joined(separator: ",") + "\n"
        }.joined()
    }

    /// The page.
    private var html: String {
        let names = Set(analysis.studies.map(\.study)).sorted().joined(separator: ", ")
        var page = ReportPage(title: names.isEmpty ? "No runs" : names)
        page.add("<p class=\"none\">\(HTML.escaped(extent))</p>\n")
        page.addWarnings(warnings)
        for study in analysis.studies {
            let prefix = analysis.studies.count > 1 ? "\(study.title): " : ""
            if let answer = answer(study) { page.addSection("\(prefix)Answer", answer) }
        }
        for study in analysis.studies {
            addSections(of: study, to: &page)
        }
        if !analysis.studies.isEmpty {
            page.addSection(
                "Methods, and how to reproduce this page",
                HTML.details(
                    "Sentences for a paper, versions and checksums",
                    Methods(studies: analysis.studies, sessions: sessions, origin: origin).html))
        }
        // Paths may reveal who took part.
        if !leftOut.damaged.isEmpty, analysis.deidentifications.isEmpty {
            page.addSection("Damaged bundles, nothing taken", damagedTable)
        }
        page.add("<footer>Made by entrain from \(sessions.count) runs.</footer>\n")
        return page.text
    }

    /// How much there is, in a line.
    private var extent: String {
        let dates = sessions.map { String($0.start.prefix(10)) }.sorted()
        let people = Set(sessions.map { $0.study + "\n" + $0.participant }).count
        let studies = Set(analysis.studies.map(\.study)).count
        let days = dates.first.map { $0 == dates.last ? ", \($0)" : ", \($0) to \(dates.last ?? $0)" } ?? ""
        return (studies == 1 ? "" : "\(studies) studies, ")
            + "\(counted(people, "participant")), \(counted(sessions.count, "session"))\(days), "
            + counted(sessions.reduce(0) { $0 + $1.samples }, "heart rate")
    }

    /// Pictures first, then who took part, then tables.
    private func addSections(of study: StudyResponse, to page: inout ReportPage) {
        let own = sessions.filter(study.holds)
        let prefix = analysis.studies.count > 1 ? "\(study.title): " : ""
        addCourses(of: study, prefix, to: &page)
        page.addSection("\(prefix)Participants", FlowChart(own, study, losses: leftOut.losses).html)
        if let first = study.characteristics.first {
            page.addSection(
                "\(prefix)Who took part",
                note:
                    "Answers before the first timed step, each participant's first. No test: arms differ by chance.",
                HTML.table(
                    [("question", false)] + first.columns.map { ($0.name, false) },
                    study.characteristics.map { row in
                        [HTML.named(study.questionTitles[row.question], row.question)]
                            + row.columns.map { HTML.cell($0.values?.words ?? "–") }
                    }))
        }
        let tables =
            study.outcomes.map { ContrastTable($0, in: study) }
            + (study.hasClips ? study.contrasts.map { ContrastTable($0, in: study) } : [])
        for table in tables { page.addSection("\(prefix)\(table.heading)", table.html) }
        if study.hasClips, !study.groups.isEmpty {
            page.addSection(
                "\(prefix)Clips against their rests, in figures",
                HTML.details(
                    "Effect sizes, RMSSD and the size of a next study",
                    "<p>RMSSD of less than 60 s of beats may be compared only with recordings of the same length. The "
                        + "slope is per 10/min of the music's tempo.</p>\n" + ResponseChart(of: study).table))
        }
        if own.contains(where: { !$0.clips.isEmpty }) {
            page.addSection(
                "\(prefix)Balance",
                HTML.details("How often each clip was heard at each place of a session", balance(own, study)))
        }
        if !study.exclusions.isEmpty {
            page.addSection("\(prefix)Left out", exclusions(study))
        }
        addRecords(of: own, prefix, to: &page)
    }

    /// What the people who ran the sessions said, and how good the data are.
    private func addRecords(of own: [RecordedSession], _ prefix: String, to page: inout ReportPage) {
        let departed = own.filter { $0.deviation != nil }
        if !departed.isEmpty {
            page.addSection(
                "\(prefix)Deviations",
                note: "In the words of the people who ran the sessions. These sessions count in all answers.",
                table(of: departed, ("deviation", false)) { HTML.cell($0.deviation ?? "") })
        }
        let interrupted = Analysis.interrupted(in: own)
        if !interrupted.isEmpty {
            page.addSection(
                "\(prefix)Interruptions",
                note: "These sessions were continued later. They count in all answers.",
                table(of: interrupted, ("interrupted for", true)) {
                    "\(decimals($0.interrupted ?? 0, 0)) s"
                })
        }
        let marks = Analysis.marks(in: own)
        if !marks.isEmpty {
            page.addSection(
                "\(prefix)What was marked",
                note: "In the words of the people who ran the sessions. Adverse events come first.",
                table(of: marks))
        }
        page.addSection(
            "\(prefix)Data quality",
            note: "Coverage is the lowest share of a recording with samples."
                + (Analysis.poor(in: own).isEmpty
                    ? "" : " Sessions that are poor by the limits of the study count in all answers."),
            quality(own))
    }

    /// How hearts and ratings went on, second by second, and how clips differ from their rests.
    private func addCourses(of study: StudyResponse, _ prefix: String, to page: inout ReportPage) {
        if study.hasClips, let chart = CourseChart(of: study) {
            page.addSection(
                "\(prefix)Response over time",
                note:
                    "Each second after the clip's onset, minus the last 60 s of the rest before it. Seconds are shown in which "
                    + "at least half of the participants have a rate.", chart.html)
        }
        addRatings(of: study, prefix, to: &page)
        guard study.hasClips else { return }
        page.addSection(
            "\(prefix)Each clip against its own rest",
            note: "A heart that settles differs from rest even without an effect of clips.",
            ResponseChart(of: study).html + HTML.sentences(study.withoutContrasts.map(\.line))
                + HTML.details(
                    "How it was worked out",
                    HTML.sentences(
                        [
                            "It is the heart rate in the clip, its first 5 s left out, minus that of the last 60 s of the rest before it.",
                            "Each participant counts once.", "Bars are 95 % intervals after Student's t.",
                            "No p value is corrected.",
                        ] + (study.originWords.map { ["H\($0.dropFirst())."] } ?? []))))
    }

    private func addRatings(of study: StudyResponse, _ prefix: String, to page: inout ReportPage) {
        if let chart = RatingChart(of: study) {
            page.addSection(
                "\(prefix)Ratings over time",
                note:
                    "Each second after the clip's onset: the mean of what participants rated, the mark holding its place until "
                    + "it is moved. Each participant counts once. Seconds are shown in which at least half of the "
                    + "participants have a rating. Below it, the heart rate as under Response over time.",
                chart.html)
        }
    }

    /// What readers must know before they look at figures.
    private var warnings: [String] {
        let damaged = leftOut.damaged.count
        let broken =
            damaged == 0 ? [] : ["nothing of \(counted(damaged, "damaged bundle")) counts"]
        return (leftOut.logLines + broken + [analysis.registrationLine].compactMap(\.self)).map {
            $0.prefix(1).uppercased() + $0.dropFirst() + "."
        }
            + analysis.severalTexts.map { $0.line(isPooled: !analysis.studies.contains(where: \.isOnlyPart)) }
            + analysis.studies.filter { !$0.originTexts.isEmpty }.map {
                "\($0.title): of \(counted($0.sessions, "session")), \($0.originTexts.joined(separator: ", "))."
            } + leftOut.repeatedLines + leftOut.unregisteredLines + leftOut.inventedLines
            + leftOut.withdrawnLines
    }

    /// A sentence and a picture, then every other answer in a sentence of its own.
    private func answer(_ study: StudyResponse) -> String? {
        let answers = PlainAnswer.all(of: study)
        let remarks =
            [study.outcomeProblem, study.hasClips ? nil : study.noClips].compactMap(\.self)
            + (answers.isEmpty ? study.answer : [])
        guard !answers.isEmpty || !remarks.isEmpty else { return nil }
        let label = answers.first.map { "<p class=\"label\">\(HTML.escaped($0.label))</p>\n" } ?? ""
        let sentence = answers.first?.sentence ?? remarks[0]
        let more = answers.first.map { answer in
            answer.doubts.map { "<p>\(HTML.escaped($0))</p>\n" }.joined() + answer.picture
        }
        let others = answers.dropFirst().map { answer in
            "<p><strong>\(HTML.escaped(answer.label)).</strong> "
                + "\(HTML.escaped(([answer.sentence] + answer.doubts).joined(separator: " ")))</p>\n"
        }
        return label + "<p class=\"answer\">\(HTML.escaped(sentence))</p>\n" + (more ?? "") + others.joined()
            + HTML.sentences(Array(answers.isEmpty ? remarks.dropFirst() : remarks[...]))
    }

    private func balance(_ sessions: [RecordedSession], _ study: StudyResponse) -> String {
        var counts: [String: [Int: Int]] = [:]
        var last = 0
        for session in sessions {
            for (index, clip) in session.clips.enumerated() {
                counts[clip, default: [:]][index, default: 0] += 1
                last = max(last, index + 1)
            }
        }
        let shown = min(last, 16)
        let rows = counts.sorted { $0.key < $1.key }.map { clip, places in
            [HTML.named(study.clipTitles[clip], clip)] + (0..<shown).map { "\(places[$0, default: 0])" }
                + ["\(places.values.reduce(0, +))"]
        }
        let columns = [("clip", false)] + (1...max(1, shown)).map { ("\($0).", true) } + [("all", true)]
        let more = last > shown ? "<p>Places after the \(shown)th are in the last column only.</p>\n" : ""
        return rows.isEmpty
            ? "<p class=\"none\">No clips were played.</p>\n" : HTML.table(columns, rows) + more
    }

    /// One line for each session, with one thing to say about it.
    private func table(
        of sessions: [RecordedSession], _ column: (String, Bool), _ cell: (RecordedSession) -> String
    ) -> String {
        Self.rest(sessions.count)
            + HTML.table(
                [("participant", false), ("session", true), ("day", true), column],
                sessions.prefix(Self.mostRows).map {
                    [HTML.cell($0.participant), "\($0.session)", String($0.start.prefix(10)), cell($0)]
                })
    }

    private func table(of marks: [(session: RecordedSession, step: String, mark: ResultBundle.Mark)])
        -> String
    {
        Self.rest(marks.count)
            + HTML.table(
                [
                    ("participant", false), ("session", true), ("day", true), ("step", false),
                    ("at, min:s", true),
                    ("kind", false), ("what", false),
                ],
                marks.prefix(Self.mostRows).map { session, step, mark in
                    [
                        HTML.cell(session.participant), "\(session.session)",
                        String(session.start.prefix(10)),
                        HTML.cell(step), Axis.time(mark.offset), HTML.cell(mark.title),
                        HTML.cell(mark.remark),
                    ]
                })
    }

    /// Exclusions by reason, and one by one as far as anybody would read them.
    private func exclusions(_ study: StudyResponse) -> String {
        let counts = study.exclusions.counts(of: \.reason.rawValue).sorted { $0.key < $1.key }
        let sum = HTML.table(
            [("why", false), ("clips", true)], counts.map { [HTML.cell($0.key), "\($0.value)"] })
        let warning = study.remarks.map { "<p>\(HTML.cell($0))</p>\n" }.joined()
        return sum + warning
            + Self.rest(study.exclusions.count, "All are in the file \(HTML.cell(origin.listName)).")
            + HTML.table(
                [("participant", false), ("clip", false), ("why", false), ("run", false)],
                study.exclusions.prefix(Self.mostRows).map {
                    [
                        HTML.cell($0.participant), HTML.cell(study.called($0.clip)),
                        HTML.cell($0.reason.rawValue),
                        HTML.cell($0.run),
                    ]
                })
    }

    /// If there are more rows than this, they are counted but not shown.
    private static let mostRows = 200

    /// What a table says about the rows that it does not show.
    ///
    /// - Parameter place: a sentence that says where all of them are.
    private static func rest(
        _ count: Int, _ place: String = "'entrain analyse --format json' lists all."
    ) -> String {
        count <= mostRows ? "" : "<p>The first \(mostRows) of \(count). \(place)</p>\n"
    }

    /// All sessions, or those with the lowest coverage if there are too many to read.
    private func quality(_ sessions: [RecordedSession]) -> String {
        guard sessions.count > Self.mostRows else {
            return HTML.details("All \(counted(sessions.count, "session"))", qualityTable(sessions))
        }
        let shares = sessions.compactMap(\.coverage).sorted()
        func share(_ part: Double) -> String {
            shares.isEmpty ? "–" : "\(Axis.decimals(shares[Int(part * Double(shares.count - 1))] * 100, 0)) %"
        }
        let worst = sessions.sorted {
            ($0.coverage ?? 2, $0.start, $0.run) < ($1.coverage ?? 2, $1.start, $1.run)
        }
        return HTML.facts([
            ("Sessions", "\(sessions.count)"),
            ("Coverage: lowest, lower tenth, median", "\(share(0)), \(share(0.1)), \(share(0.5))"),
            ("Recovered after a crash", "\(sessions.count(where: \.isRecovered))"),
            ("The clock was changed during the run", "\(sessions.count(where: \.isClockAdjusted))"),
            ("With steps left early", "\(sessions.count { $0.skippedSteps > 0 })"),
            ("Poor by the limits of the study", "\(Analysis.poor(in: sessions).count)"),
        ])
            + "<p>The table sessions of the dataset has all.</p>\n"
            + HTML.details(
                "The \(Self.mostRows) sessions with the lowest coverage",
                qualityTable(Array(worst.prefix(Self.mostRows))))
    }

    private func qualityTable(_ sessions: [RecordedSession]) -> String {
        let rows = sessions.map { session -> [String] in
            var remarks = session.origin == .recorded ? [] : [session.origin.rawValue]
            if session.isRecovered { remarks.append("recovered after a crash") }
            if session.isClockAdjusted { remarks.append("the clock was changed during the run") }
            if session.isPoor == true { remarks.append("poor by the limits of the study") }
            if session.skippedSteps > 0 { remarks.append("\(session.skippedSteps) steps left early") }
            return [
                HTML.cell(session.participant), "\(session.session)", String(session.start.prefix(10)),
                Axis.time(session.duration), HTML.cell(session.status), "\(session.clips.count)",
                "\(session.samples)", "\(session.beats)",
                session.coverage.map { Axis.decimals($0 * 100, 0) } ?? "–", remarks.joined(separator: "; "),
            ]
        }
        return HTML.table(
            [
                ("participant", false), ("session", true), ("day", true), ("lasted, min:s", true),
                ("ended", false), ("clips", true), ("samples", true), ("intervals", true),
                ("coverage, %", true), ("remarks", false),
            ], rows)
    }

    private var damagedTable: String {
        HTML.table(
            [("bundle", false), ("why", false)],
            leftOut.damaged.map { [HTML.cell($0.path), HTML.cell($0.reason)] })
    }
}
