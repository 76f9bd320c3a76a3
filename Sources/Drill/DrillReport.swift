package import TextFormat

/// What a drill tried, and what it found.
package struct DrillReport: Sendable {
    /// One thing that was done to a run of one study.
    package struct Entry: Sendable {
        package var study: String
        package var drillCase: DrillCase
        /// What was then wrong; empty if nothing was.
        package var violations: [String]
        /// The command that repeats it.
        package var command: String

        package init(_ drillCase: DrillCase, of study: String, violations: [String], command: String) {
            self.drillCase = drillCase
            self.study = study
            self.violations = violations
            self.command = command
        }
    }

    package var entries: [Entry] = []
    /// Mistakes that the drill planted but did not find.
    package var missedControls: [String] = []
    package var foundControls = 0
    /// Cases that were left out for lack of time.
    package var omitted = 0
    /// Whether sound was left out because this machine has no PulseAudio.
    package var lacksSound = false

    package init() {}

    package var failures: [Entry] { entries.filter { !$0.violations.isEmpty } }

    private var campaigns: [(name: String, entries: [Entry])] {
        Dictionary(grouping: entries) { $0.drillCase.campaign }.sorted { $0.key < $1.key }
            .map { ($0.key, $0.value) }
    }

    /// The report for people.
    package var text: String {
        var lines = campaigns.map { name, entries in
            let failed = entries.count { !$0.violations.isEmpty }
            return "\(name): \(entries.count) tried, \(failed) failed"
        }
        let planted = foundControls + missedControls.count
        lines.append(
            "planted mistakes: " + (planted > 0 ? "\(foundControls) of \(planted) found" : "none tried"))
        if omitted > 0 { lines.append("not tried, for lack of time: \(omitted)") }
        if lacksSound { lines.append("sound: not tried, because PulseAudio or its ALSA plugin is missing") }
        for entry in failures {
            lines.append("")
            lines += entry.violations.map { "\(entry.study) \(entry.drillCase): \(printable($0))" }
            lines.append("  again: \(entry.command)")
        }
        lines += missedControls.map { "The drill is broken. It did not find this mistake: \($0)" }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The report for programs.
    package var json: JSON {
        [
            "tried": .integer(entries.count), "omitted": .integer(omitted),
            "controls": [
                "found": .integer(foundControls), "missed": .texts(missedControls),
            ],
            "campaigns": .members(
                Dictionary(uniqueKeysWithValues: campaigns.map { ($0.name, .integer($0.entries.count)) })),
            "failures": .list(
                failures.map { entry in
                    [
                        "study": .text(entry.study), "case": .text(entry.drillCase.description),
                        "violations": .texts(entry.violations),
                        "command": .text(entry.command),
                    ]
                }),
        ]
    }

    /// The report for continuous integration: JUnit XML, with a suite for each part of the drill.
    package var junit: String {
        var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites name=\"entrain drill\">"]
        for (name, entries) in campaigns {
            let failed = entries.count { !$0.violations.isEmpty }
            lines.append("<testsuite name=\"\(name)\" tests=\"\(entries.count)\" failures=\"\(failed)\">")
            for entry in entries {
                let head = "<testcase classname=\"\(escaped(entry.study))\" name=\"\(entry.drillCase)\""
                guard let first = entry.violations.first else {
                    lines.append(head + "/>")
                    continue
                }
                let all = (entry.violations + ["again: \(entry.command)"]).map { printable($0) }
                    .joined(separator: "\n")
                lines.append(
                    head + "><failure message=\"\(escaped(first))\">\(escaped(all))</failure></testcase>")
            }
            lines.append("</testsuite>")
        }
        return (lines + ["</testsuites>"]).joined(separator: "\n") + "\n"
    }

    private func escaped(_ text: String) -> String { XMLText.escaped(text) }
}
