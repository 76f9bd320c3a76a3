import Platform
import Sound
import StudyFile
import StudyModel

/// Measures the clips that a study or a catalogue names.
enum ClipChecks {
    /// The measurements by the clips' paths, and the clips that cannot be read.
    struct Findings {
        var figures: [String: ClipFigures] = [:]
        var unreadable: [Diagnostic] = []
    }

    /// - Parameter file: the study or catalogue; clips are relative to it.
    static func measure(_ uses: ClipUses, besides file: String) async -> Findings {
        let folder = FilePath.prefix(of: file)
        return await withTaskGroup(of: (ClipUses.Entry, Result<ClipMeasurement, SoundFailure>).self) {
            group in
            for entry in uses.entries {
                group.addTask {
                    do throws(SoundFailure) {
                        return (entry, .success(try ClipMeasurement(of: folder + entry.clip.path)))
                    } catch {
                        return (entry, .failure(error))
                    }
                }
            }
            var findings = Findings()
            for await (entry, result) in group {
                switch result {
                case .success(let measured):
                    findings.figures[entry.clip.path] = ClipFigures(
                        length: measured.length, loudness: measured.loudness, peak: measured.peak,
                        leadIn: measured.leadIn, hasDeadChannel: measured.hasDeadChannel,
                        isClipped: measured.isClipped, sha256: measured.sha256)
                case .failure(let failure):
                    findings.unreadable.append(uses.diagnostic(unreadable: entry, failure.description))
                }
            }
            findings.unreadable.sort { ($0.file, $0.range.start) < ($1.file, $1.range.start) }
            return findings
        }
    }
}
