import Participants
import Results
import Statistics
import TextFormat

extension Analysis {
    /// The analysis as text for people.
    package var text: String {
        var lines = leftOut.logLines + [registrationLine].compactMap(\.self)
        lines += severalTexts.map { $0.line(isPooled: !studies.contains(where: \.isOnlyPart)) }
        lines += studies.flatMap(\.lines)
        if studies.isEmpty { lines.append("There is nothing to analyse.") }
        lines += departed.map {
            "counted, though it departed from the protocol: \(printable($0.participant)), session \($0.session): "
                + printable($0.deviation ?? "")
        }
        lines += [interruptedLine, poorLine].compactMap(\.self) + markLines
        lines += leftOut.lines(unsealed: "not analysed")
        return lines.joined(separator: "\n") + "\n"
    }
}

extension StudyResponse {
    fileprivate var lines: [String] {
        let ends = statuses.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" } + originTexts
        var lines = [
            "\(title): \(counted(sessions, "session")) (\(ends.joined(separator: ", "))) of "
                + counted(participants, "participant") + clipCounts
        ]
        lines += companionWarning.map { ["  " + $0] } ?? []
        lines += outcomeLines
        guard hasClips else {
            lines += togetherLines
            return lines + (noClips.map { ["  \($0)"] } ?? []) + endedLines(endedWithoutValue)
        }
        lines += missing
        lines += togetherLines
        guard !groups.isEmpty else { return lines + ["  no clip has heart rates before and in it"] }
        lines += (answer + withoutContrasts.map(\.line)).map { "  " + $0 }
        lines += contrasts.flatMap { $0.lines() }
        lines.append(againstRest)
        lines += table(
            "heart rate, clip minus rest, per minute", places: 2,
            groups.map { ($0, $0.difference, $0.power) })
        if let originWords { lines.append("  " + originWords) }
        lines += courseLines
        let variable = groups.compactMap { group in group.variability.map { (group, $0) } }
        guard let all = variable.first?.1 else { return lines + ["RMSSD: no clip has enough intervals"] }
        lines += table(
            "RMSSD, clip minus rest, ms", places: 1, variable.map { ($0.0, $0.1.difference, nil) })
        lines.append(
            "  \(all.clips) of \(counted(responses.count, "clip")) have an RMSSD; \(all.ultraShort) are ultra-short "
                + "(less than 60 s of intervals): not to be compared with usual recordings")
        return lines
    }

    /// Empty if clips play no part in the result.
    private var clipCounts: String {
        guard hasClips else { return "" }
        return ", \(counted(responses.count, "clip")) analysed, \(exclusions.count) left out"
    }

    /// Stands above the tables that do not answer the study's question, if conditions can be compared.
    private var againstRest: String {
        "against rest, from which a heart that settles differs even without an effect of clips; "
            + (testsAgainstRest == 1
                ? "1 p value, not corrected" : "\(testsAgainstRest) p values, not corrected")
    }

    /// The mean over all clips second by second, and less often after the first ten.
    private var courseLines: [String] {
        guard let course = groups.first?.shownCourse, !course.isEmpty else { return [] }
        let rows = course.filter { row in
            row.second < 10 || row.second % (row.second < 60 ? 5 : 30) == 0 || row == course.last
        }
        return ["all clips after the onset, second by second, minus rest, per minute"]
            + ["  second     n    mean  95 % interval"]
            + rows.map { row in
                return "  " + padded("\(row.second)", to: 6, isRight: true)
                    + padded("\(row.participants)", to: 6, isRight: true)
                    + padded(signed(row.mean, 2), to: 8, isRight: true) + "  " + words(row.interval, 2)
            }
    }

    /// What was left out or is missing, with names.
    private var missing: [String] {
        var lines: [String] = []
        for reason in Exclusion.Reason.allCases {
            let names = exclusions.filter { $0.reason == reason }
                .map { "\(printable($0.participant)) \($0.clip)" }
            guard !names.isEmpty else { continue }
            lines.append("  left out, \(reason.rawValue) (\(names.count)): \(names.joined(separator: ", "))")
        }
        if let dropoutWarning { lines.append("  " + dropoutWarning) }
        let parts = incomplete.map { response in
            "\(printable(response.participant)) \(response.clip) (\(whole(100 * (response.coverage ?? 0))) %)"
        }
        if !parts.isEmpty {
            lines.append(
                "  counted, although less than 90 % was recorded (\(parts.count)): \(parts.joined(separator: ", "))"
            )
        }
        if !shortBaselines.isEmpty {
            lines.append(
                "  counted, although less than 30 s of the rest before was recorded: "
                    + counted(shortBaselines.count, "clip"))
        }
        lines += endedLines(ended)
        if !withoutResponse.isEmpty {
            let names = withoutResponse.map { printable($0) }.joined(separator: ", ")
            lines.append("  without any response (\(withoutResponse.count)): \(names)")
        }
        return lines
    }

    /// The participants who have no response and reached an end that the study names.
    private func endedLines(_ ended: [String: [String]]) -> [String] {
        ended.sorted { $0.key < $1.key }.map { name, people in
            let names = people.map { printable($0) }.joined(separator: ", ")
            return "  without any response, ended as \(name) (\(people.count)): \(names)"
        }
    }

    private func table(
        _ title: String, places: Int, _ rows: [(Group, PairedDifference, PowerEstimate?)]
    ) -> [String] {
        let width = max(title.count, rows.map(\.0.title.count).max() ?? 0) + 1
        let hasPower = rows.contains { $0.2 != nil }
        let head =
            padded(title, to: width) + "   n    mean  95 % interval        dz  p"
            + (hasPower ? "       n for 80 %" : "")
        return [head]
            + rows.map { group, difference, power in
                let line = padded(group.title, to: width) + difference.line(places: places)
                return hasPower ? padded(line, to: width + 45) + (power?.line ?? "") : line
            } + (rows.first?.2.map { [powerLine($0, of: rows[0].1)] } ?? [])
    }

    private func powerLine(_ power: PowerEstimate, of difference: PairedDifference) -> String {
        "  next study: \(power.participantsFor80.map { "\($0)" } ?? "more than a million") participants show such a "
            + "difference with 80 % probability, \(power.participantsFor90.map { "\($0)" } ?? "more than a million") "
            + "with 90 %; \(difference.count) show \(decimals(power.detectable, 2)) per minute with 80 %"
    }
}

extension StudyResponse.Group {
    fileprivate var title: String {
        switch kind {
        case .all, .tempo, .slope: name
        case .mood: "mood \(printable(name))"
        case .clip: "clip \(name)"
        }
    }
}

extension PowerEstimate {
    fileprivate var line: String {
        padded(participantsFor80.map { "\($0)" } ?? ">1000000", to: 10, isRight: true)
    }
}

extension PairedDifference {
    fileprivate func line(places: Int) -> String {
        return padded("\(count)", to: 4, isRight: true) + padded(signed(mean, places), to: 8, isRight: true)
            + "  " + padded(words(interval, places), to: 16)
            + padded(effectSize.map { signed($0, 2) } ?? "–", to: 7, isRight: true) + "  " + pText(p)
    }
}
