import ArgumentParser
import BundleReplay
import Console
import Results
import Sound
import TextFormat

package struct DeviceList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Lists the sound devices, and says which one would be used and why.")

    @Option(help: "'text' for people, 'json' for programs.")
    var format = OutputFormat.text

    func run() throws {
        try reporting {
            let devices: [AudioDevice]
            do throws(SoundFailure) {
                devices = try AudioSystem.devices()
            } catch {
                throw StudyFailure(error.description, .missing)
            }
            switch format {
            case .json: Output.say(json: Self.json(of: devices))
            case .text: Output.emit(.lines(Self.text(of: devices)))
            }
        }
    }

    static func text(of devices: [AudioDevice]) -> String {
        var lines: [String] = []
        for (kind, channels, choose) in [
            ("Outputs", \AudioDevice.outputs, Self.output), ("Inputs", \.inputs, Self.input),
        ] {
            lines.append("\(kind):")
            let offered = devices.filter { $0[keyPath: channels] > 0 }
            if offered.isEmpty { lines.append("  none") }
            for device in offered {
                lines.append(
                    "  \(device.number)  \(printable(device.name))  (\(device.system), "
                        + "\(device[keyPath: channels]) channels, \(device.rate) Hz)")
            }
            lines.append("  → " + choose(devices).reason)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    static func json(of devices: [AudioDevice]) -> JSON {
        [
            "devices": .list(
                devices.map { device in
                    [
                        "number": .integer(device.number), "name": .text(device.name),
                        "system": .text(device.system), "outputs": .integer(device.outputs),
                        "inputs": .integer(device.inputs), "rate": .integer(device.rate),
                    ]
                }),
            "output": output(of: devices).name.map { .text($0) } ?? .null,
            "outputReason": .text(output(of: devices).reason),
            "input": input(of: devices).name.map { .text($0) } ?? .null,
            "inputReason": .text(input(of: devices).reason),
        ]
    }

    static func output(of devices: [AudioDevice]) -> (name: String?, reason: String) {
        do throws(SoundFailure) {
            let device = try devices.output(named: nil)
            return (device.name, reason(device, device.isDefaultOutput))
        } catch {
            return (nil, error.description + ": runs go on in silence and say so in the result")
        }
    }

    static func input(of devices: [AudioDevice]) -> (name: String?, reason: String) {
        do throws(SoundFailure) {
            let device = try devices.input(named: nil)
            return (device.name, reason(device, device.isDefaultInput))
        } catch {
            return (nil, error.description)
        }
    }

    private static func reason(_ device: AudioDevice, _ isDefault: Bool) -> String {
        "\(printable(device.name)) is taken: "
            + (isDefault ? "it is the system's default" : "the system names no default, and it is the first")
    }
}
