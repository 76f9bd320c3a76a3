import Platform

/// The joysticks and MIDI devices that this machine has.
package struct ConnectedControl: Hashable, Sendable {
    /// How it is asked for: `joystick:/dev/input/event5`.
    package var spec: String
    /// What it calls itself; empty if it does not say.
    package var name: String

    /// All of them, joysticks first. They are listed by `/sys`, which everybody may read.
    ///
    /// - Parameter root: the folder in which `sys` is; empty for this machine.
    package static func all(under root: String = "") -> [ConnectedControl] {
        joysticks(under: root) + midiDevices(under: root)
    }

    /// Input devices with an absolute x and y axis, such as joysticks, game pads and tablets.
    private static func joysticks(under root: String) -> [ConnectedControl] {
        let folder = root + "/sys/class/input"
        return entries(of: folder, beginning: "event").compactMap { entry in
            let axes = text("\(folder)/\(entry)/device/capabilities/abs")
            guard let last = axes.split(separator: " ").last, let bits = UInt64(last, radix: 16),
                bits & 1 == 1
            else { return nil }
            return ConnectedControl(
                spec: "joystick:/dev/input/\(entry)", name: text("\(folder)/\(entry)/device/name"))
        }
    }

    private static func midiDevices(under root: String) -> [ConnectedControl] {
        let folder = root + "/sys/class/sound"
        return entries(of: folder, beginning: "midiC").map { entry in
            ConnectedControl(spec: "midi:/dev/snd/\(entry)", name: text("\(folder)/\(entry)/device/id"))
        }
    }

    private static func entries(of path: String, beginning prefix: String) -> [String] {
        do throws(FileFailure) {
            return try Folder(path).entries().map(\.name).filter { $0.hasPrefix(prefix) }
                .sorted { ($0.count, $0) < ($1.count, $1) }
        } catch { return [] }
    }

    /// The first line of a file; empty if there is none.
    private static func text(_ path: String) -> String {
        guard case .success(let bytes) = FileContents.read(path, limit: 4096) else { return "" }
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
