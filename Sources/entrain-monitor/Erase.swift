import ArgumentParser
import Glibc
import Monitor
import MonitorInterface
import Platform
import Results

/// The part of `entrain withdraw --erase --monitor` that needs the database.
struct Erase: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Deletes everything of a participant.",
        discussion: "A server may run meanwhile; pages that are open follow.")

    @Option(name: .shortAndLong, help: "The participant's code.")
    var participant: String

    @OptionGroup var data: DataOptions

    func perform() throws {
        guard unsafe access("\(data.folder)/monitor.sqlite", F_OK) == 0 else {
            throw Failure("there are no data of a monitor in '\(data.folder)'", code: 74)
        }
        let store = try data.open()
        let kept = KeptBundles(of: store)
        let erasure: Erasure
        let bundles: [Deletion.Bundle]
        do throws(FileFailure) { bundles = try kept.bundles(of: participant) } catch {
            throw Failure("\(error)", code: 74)
        }
        do throws(StoreFailure) {
            erasure = try store.erase(participant: participant, bundles: bundles, now: secondsSince1970())
            try store.close()
        } catch {
            throw Failure("\(error)", code: 74)
        }
        do throws(FileFailure) { try kept.erase(participant: participant) } catch {
            throw Failure("\(error)", code: 74)
        }
        let gone = erasure.extent
        say(
            """
            deleted from the monitor's data: \(gone.series) series, with \(gone.readings) readings, \
            \(gone.events) events and \(gone.notes) notes
            """)
        if !bundles.isEmpty { say("deleted from the monitor's bundles: \(bundles.count)") }
        if erasure.mentions > 0 {
            say("notes and traces elsewhere in which the code was replaced: \(erasure.mentions)")
        }
    }
}
