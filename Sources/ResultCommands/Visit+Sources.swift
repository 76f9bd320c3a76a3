import Results
import StudyModel
import TextFormat

/// What the sources of a step said they are.
extension ResultBundle.Visit {
    /// What each recorder's source said last. Pauses split a recording, and its source may become known in a later part.
    private var sources: [(recorder: String, source: SourceInformation)] {
        Dictionary(grouping: recordings, by: \.recorder).sorted { $0.key < $1.key }.compactMap {
            recorder, parts in
            var source = SourceInformation()
            for part in parts.sorted(by: { $0.start < $1.start }) {
                if let said = part.source { source.update(with: said) }
            }
            return source.names.isEmpty ? nil : (recorder, source)
        }
    }

    /// A line for each recorder whose source has a name.
    var sourceLines: [String] {
        sources.map { recorder, source in
            "    \(recorder) from "
                + (source.names.map { printable($0) } + source.figures).joined(separator: ", ")
        }
    }

    /// `nil` if no source has a name.
    var sourcesJSON: JSON? {
        let sources = sources
        guard !sources.isEmpty else { return nil }
        return .list(
            sources.map { recorder, source in
                .members([
                    "recorder": .text(recorder), "device": source.device.map { .text($0) },
                    "identifier": source.identifier.map { .text($0) }, "host": source.host.map { .text($0) },
                    "manufacturer": source.manufacturer.map { .text($0) },
                    "model": source.model.map { .text($0) }, "firmware": source.firmware.map { .text($0) },
                    "nominalRate": source.nominalRate.map { .real($0) },
                    "clockOffset": source.clock.last.map { .real($0.offset) },
                    "clockDoubt": source.clock.last.map { .real($0.doubt) },
                ])
            })
    }
}

extension SourceInformation {
    /// What it is called, and by whom.
    fileprivate var names: [String] {
        [
            device, identifier, host.map { "host \($0)" }, manufacturer, model.map { "model \($0)" },
            firmware.map { "firmware \($0)" },
        ].compactMap { $0 }
    }

    /// What it announces, and how its clock stood last.
    fileprivate var figures: [String] {
        let rate = nominalRate.map { ["\(oneDecimal($0)) a second"] } ?? []
        let clock = clock.last.map { last in
            "clock \(decimals(last.offset * 1000, 1)) ms from this machine's, to \(decimals(last.doubt * 1000, 1)) ms"
        }
        return rate + [clock].compactMap { $0 }
    }
}
