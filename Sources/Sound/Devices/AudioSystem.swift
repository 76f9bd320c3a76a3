import CAudioStream
import CPortAudio
import Glibc
import StudyModel
import Synchronization

/// The sound system of the machine, started at most once.
package enum AudioSystem {
    /// Why it cannot be started; `.some(nil)` if it runs.
    private static let problem = Mutex<SoundFailure??>(nil)

    /// Every device for output or input.
    ///
    /// - Throws: `SoundFailure` if there is no sound system at all.
    package static func devices() throws(SoundFailure) -> [AudioDevice] {
        try wake()
        let (output, input) = (Int(Pa_GetDefaultOutputDevice()), Int(Pa_GetDefaultInputDevice()))
        return (0..<max(0, Int(Pa_GetDeviceCount()))).compactMap { number in
            guard let info = unsafe Pa_GetDeviceInfo(Int32(number)), let name = unsafe info.pointee.name
            else { return nil }
            let system = unsafe Pa_GetHostApiInfo(info.pointee.hostApi)
            return AudioDevice(
                number: number, name: unsafe String(cString: name),
                system: unsafe system.map { unsafe String(cString: $0.pointee.name) } ?? "",
                outputs: Int(unsafe info.pointee.maxOutputChannels),
                inputs: Int(unsafe info.pointee.maxInputChannels),
                rate: Int(unsafe info.pointee.defaultSampleRate),
                latency: unsafe info.pointee.defaultHighOutputLatency, isDefaultOutput: number == output,
                isDefaultInput: number == input)
        }
    }

    private static func wake() throws(SoundFailure) {
        let failure = problem.withLock { known -> SoundFailure? in
            if let known { return known }
            let failure = initialise()
            known = .some(failure)
            return failure
        }
        if let failure { throw failure }
    }

    private static func initialise() -> SoundFailure? {
        entrain_audio_silence_messages()
        guard entrain_audio_is_configured() else {
            return SoundFailure(
                "no sound system: ALSA's configuration cannot be read, or names no default device")
        }
        // JACK would otherwise try to start a server each time devices are listed.
        unsafe setenv("JACK_NO_START_SERVER", "1", 0)
        let error = StandardError.silenced { Pa_Initialize() }
        return error == 0 ? nil : SoundFailure("no sound system: \(words(error))")
    }

    /// PortAudio's words for an error.
    static func words(_ error: Int32) -> String {
        if error == paUnanticipatedHostError.rawValue, let info = unsafe Pa_GetLastHostErrorInfo(),
            let text = unsafe info.pointee.errorText, unsafe text.pointee != 0
        {
            return unsafe String(cString: text)
        }
        guard let text = unsafe Pa_GetErrorText(error) else { return "error \(error)" }
        return unsafe String(cString: text)
    }
}

/// A device for output or input.
package struct AudioDevice: Hashable, Sendable {
    /// PortAudio's number for it.
    package var number: Int
    package var name: String
    /// Its sound system, such as `ALSA`.
    package var system: String
    /// Output channels; 0 if it is not an output.
    package var outputs: Int
    /// Input channels; 0 if it is not an input.
    package var inputs: Int
    /// Its own rate, frames per second.
    package var rate: Int
    /// The latency that it calls safe, seconds.
    package var latency: Double
    package var isDefaultOutput: Bool
    package var isDefaultInput: Bool
}

extension [AudioDevice] {
    /// The output to use.
    ///
    /// - Parameter name: the device's name or a part of it, or its number; `nil` takes the system's default.
    package func output(named name: String?) throws(SoundFailure) -> AudioDevice {
        try chosen(name, from: filter { $0.outputs > 0 }, kind: "output") { $0.isDefaultOutput }
    }

    /// The input to use; see `output`.
    package func input(named name: String?) throws(SoundFailure) -> AudioDevice {
        try chosen(name, from: filter { $0.inputs > 0 }, kind: "input") { $0.isDefaultInput }
    }

    private func chosen(
        _ name: String?, from devices: [AudioDevice], kind: String, isDefault: (AudioDevice) -> Bool
    ) throws(SoundFailure) -> AudioDevice {
        guard let name else {
            guard let device = devices.first(where: isDefault) ?? devices.first else {
                throw SoundFailure("no sound \(kind) was found")
            }
            return device
        }
        let exact = devices.first { $0.name == name || "\($0.number)" == name }
        let similar = devices.first { $0.name.lowercased().contains(name.lowercased()) }
        guard let device = exact ?? similar else {
            let help = Suggestion.help(for: name, among: devices.map(\.name), all: "there are")
            throw SoundFailure(
                "there is no sound \(kind) '\(name)'\(help.map { "; " + $0 } ?? ""); 'entrain devices' lists them"
            )
        }
        return device
    }
}
