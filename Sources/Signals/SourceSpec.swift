import Recordings
package import StudyModel
import TextFormat

/// A source that was asked for in words that cannot be followed: a mistake of usage.
package struct SourceSpecProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what to write instead.
    package var description: String
}

extension SourceConfiguration {
    /// Reads what stands behind `--source NAME=`.
    ///
    /// - Parameter spec: such as `simulated:restingRate=70,dropouts=0.1`, `replay:FILE` or `bluetooth:NAME`.
    /// - Throws: `SourceSpecProblem` for anything else.
    package init(spec: String) throws(SourceSpecProblem) {
        let parts = spec.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        let settings = parts.count > 1 ? parts[1] : ""
        switch parts[0] {
        case "simulated":
            self = .simulated(try SimulatedSource(settings: settings))
        case "replay":
            guard !settings.isEmpty else {
                throw SourceSpecProblem(
                    description: "'replay' needs a recording: write replay:FILE, such as replay:heart.csv")
            }
            self = .replay(path: settings)
        case "bluetooth": self = .bluetooth(BluetoothStrap(settings))
        case "poll":
            guard settings.isWebAddress else {
                throw SourceSpecProblem(
                    description:
                        "'poll' needs a server: write poll:URL, such as poll:http://localhost:8080/heart")
            }
            self = .poll(PolledServer(url: settings))
        case "push":
            guard settings.isWebAddress else {
                throw SourceSpecProblem(
                    description: "'push' needs a server that sends events: write push:URL; "
                        + "for readings from a script write stdin or socket:PATH")
            }
            self = .push(.events(url: settings))
        case "stdin" where settings.isEmpty: self = .push(.standardInput)
        case "socket":
            guard !settings.isEmpty else {
                throw SourceSpecProblem(
                    description: "'socket' needs a path: write socket:PATH, such as socket:heart.sock")
            }
            self = .push(.socket(path: settings))
        case "lsl": self = .lsl(stream: settings.isEmpty ? nil : settings)
        case "camera":
            guard !settings.isEmpty else {
                throw SourceSpecProblem(
                    description: "'camera' needs a device or a video: write camera:/dev/video0 or camera:FILE"
                )
            }
            self = .camera(settings.hasPrefix("/dev/") ? .device(settings) : .file(path: settings))
        case let kind:
            let kinds = [
                "simulated", "replay", "bluetooth", "poll", "push", "stdin", "socket", "camera", "lsl",
            ]
            throw SourceSpecProblem(
                description: "\(quoted(kind)) is not a kind of source; "
                    + (Suggestion.nearest(to: kind, among: kinds).map { "did you mean '\($0)'?" }
                        ?? "there are simulated, replay:FILE, camera:FILE, bluetooth, poll:URL, push:URL, stdin, socket:PATH and lsl")
            )
        }
    }
}

extension String {
    /// Whether it is the address of a server.
    var isWebAddress: Bool {
        let scheme = ["http://", "https://"].first { lowercased().hasPrefix($0) }
        return scheme.map { utf8.count > $0.utf8.count } == true && utf8.allSatisfy { 0x21...0x7e ~= $0 }
    }
}

extension BluetoothStrap {
    /// - Parameter text: an address such as `A0:9E:1A:2B:3C:4D`, the beginning of a name, or nothing.
    init(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let isAddress =
            parts.count == 6 && parts.allSatisfy { $0.count == 2 && $0.allSatisfy(\.isHexDigit) }
        self = text.isEmpty ? .only : isAddress ? .at(address: text) : .named(text)
    }
}

extension SimulatedSource {
    private struct Setting {
        var name: String
        var path: WritableKeyPath<SimulatedSource, Double>
        var range: ClosedRange<Double>
    }

    private static var settings: [Setting] {
        [
            Setting(name: "restingRate", path: \.restingRate, range: 30...220),
            Setting(name: "maximumRate", path: \.maximumRate, range: 30...240),
            Setting(name: "musicResponse", path: \.musicResponse, range: -30...30),
            Setting(name: "variability", path: \.variability, range: 0...3),
            Setting(name: "dropouts", path: \.dropouts, range: 0...1),
            Setting(name: "duplicates", path: \.duplicates, range: 0...1),
            Setting(name: "contactLoss", path: \.contactLoss, range: 0...1),
        ]
    }

    /// - Parameter settings: `name=number`, separated by commas; the defaults where empty.
    fileprivate init(settings: String) throws(SourceSpecProblem) {
        self.init()
        var seen: Set<String> = []
        for text in settings.split(separator: ",", omittingEmptySubsequences: settings.isEmpty) {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map(String.init)
            guard let setting = Self.settings.first(where: { $0.name == parts[0] }) else {
                let names = Self.settings.map(\.name)
                throw SourceSpecProblem(
                    description: "\(quoted(parts[0])) is not a setting of a simulated source; "
                        + (Suggestion.nearest(to: parts[0], among: names).map { "did you mean '\($0)'?" }
                            ?? "there are " + names.joined(separator: ", ")))
            }
            guard parts.count == 2, let value = number(parts[1], hasDecimalComma: false),
                setting.range.contains(value)
            else {
                let (low, high) = (setting.range.lowerBound.wholeNumber, setting.range.upperBound.wholeNumber)
                throw SourceSpecProblem(
                    description:
                        "\(quoted(String(text))): write \(setting.name)= and a number from \(low) to \(high)")
            }
            guard seen.insert(setting.name).inserted else {
                throw SourceSpecProblem(description: "'\(setting.name)' is set twice")
            }
            self[keyPath: setting.path] = value
        }
        guard restingRate < maximumRate else {
            throw SourceSpecProblem(
                description: "restingRate (\(restingRate)) must be below maximumRate (\(maximumRate))")
        }
    }
}
