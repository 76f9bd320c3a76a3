import ArgumentParser
import Console
import Datasets
import Participants
import Results
import TextFormat

package struct Collate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "collate", abstract: "Makes tables of any number of bundles.",
        discussion: """
            Writes sessions, steps, recordings, samples, beats, draws, answers, events, a codebook of the \
            questions and the study's outcomes as CSV or Parquet and as NDJSON, one part per study and day, \
            with datapackage.json and load.sql. Bundles that the dataset already has are not read again. \
            Nothing is taken from a damaged bundle: it is named, and the exit code is 65. A run that is \
            still going on is named and left for the next time. Different texts of a study under one name \
            are refused unless you pool them.

            With --pseudonymise, the tables do not reveal who took part: they have no journal, no draws, and \
            only the fields that are on the list of what an export may contain.
            """)

    @Argument(help: "Bundles, or folders with bundles at any depth.", completion: .directory)
    var folders: [String]

    @Option(
        name: [.customShort("o"), .customLong("out")], help: "The dataset's folder.", completion: .directory)
    var dataset: String

    @OptionGroup var pooled: PooledRevisions
    @OptionGroup var privacy: PrivacyOptions

    @Option(
        name: .customLong("format"), parsing: .singleValue,
        help: """
            The form of the tables: 'csv' (the default of a new dataset) or 'parquet'. The form of the \
            summary: 'text' for people (the default) or 'json' for programs. May be given twice.
            """)
    var formats: [Format] = []

    /// The form of the tables and of the output.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case csv, parquet, text, json

        fileprivate var tables: TableFormat? { TableFormat(rawValue: rawValue) }
        fileprivate var output: OutputFormat? { OutputFormat(rawValue: rawValue) }
    }

    func validate() throws {
        for (first, other) in [(Format.csv, Format.parquet), (.text, .json)]
        where formats.contains(first) && formats.contains(other) {
            throw ValidationError(
                "--format \(first.rawValue) and --format \(other.rawValue) exclude each other: give one of them."
            )
        }
    }

    func run() async throws {
        let privacy = try privacy.make()
        let collation = try await reporting {
            try await Collation(
                of: folders, into: dataset, poolsRevisions: pooled.poolRevisions, privacy: privacy,
                format: formats.compactMap(\.tables).first)
        }
        switch formats.compactMap(\.output).first ?? .text {
        case .json: Output.say(json: collation.json)
        case .text: Output.emit(.lines(collation.text))
        }
        PrivacyOptions.remark(on: collation.weakCodes)
        if !collation.leftOut.damaged.isEmpty { throw ExitCode.badData }
    }
}

extension Collation {
    fileprivate var text: String {
        var lines = ["\(counted(added, "bundle")) added, \(known) held already"]
        lines += leftOut.lines(unsealed: "left for later")
        lines += withoutCodebook.map {
            "no codebook of its study: \(printable($0.path)): \(printable($0.reason))"
        }
        lines.append(
            "the dataset holds "
                + index.tables.map { table in
                    counted(rows(in: table), table.rowName)
                }.joined(separator: ", "))
        return lines.joined(separator: "\n") + "\n"
    }

    fileprivate var json: JSON {
        leftOut.json([
            "added": .integer(added), "known": .integer(known),
            "withoutCodebook": .list(
                withoutCodebook.map { ["path": .text($0.path), "reason": .text($0.reason)] }),
            "rows": .members(
                Dictionary(uniqueKeysWithValues: index.tables.map { ($0.rawValue, .integer(rows(in: $0))) })
            ),
        ])
    }
}
