import Platform
import Results

/// A sound card that can be pulled out: a null sink in a PulseAudio server of its own, with its own socket and
/// home.
enum SoundCard {
    /// Runs the command that follows with a sound card. If a file is given, the card is pulled out two seconds
    /// after the file says `Listening`.
    private static let script = #"""
        said=$1; shift
        home=$(mktemp -d); trap 'kill $server $puller 2>/dev/null; rm -rf "$home"' EXIT
        export HOME="$home" XDG_RUNTIME_DIR="$home" PULSE_RUNTIME_PATH="$home/pulse" PULSE_SERVER="unix:$home/native"
        printf 'pcm.!default { type pulse }\nctl.!default { type pulse }\n' >"$home/.asoundrc"
        pulseaudio -n --daemonize=no --exit-idle-time=-1 --use-pid-file=no -L "module-null-sink rate=48000" \
            -L "module-native-protocol-unix auth-anonymous=1 socket=$home/native" >/dev/null 2>&1 3>&- &
        server=$!
        for attempt in $(seq 50); do pactl info >/dev/null 2>&1 3>&- && break; sleep 0.1; done
        pactl info >/dev/null 2>&1 || exit 69
        { until grep -q Listening "$said"; do sleep 0.1; done; sleep 2; pactl unload-module module-null-sink; } \
            >/dev/null 2>&1 3>&- &
        puller=$!
        "$@"
        """#

    /// Whether everything it needs is available.
    static func isThere(in folder: String) throws(FileFailure) -> Bool {
        try Program.run(command(.steady, ["true"], in: folder), in: folder).code == 0
    }

    /// - Parameter folder: where the run's output is stored.
    static func command(_ fault: SoundFault, _ words: [String], in folder: String) -> [String] {
        ["sh", "-c", script, "sh", fault == .unplugged ? "\(folder)/said" : "/dev/null"] + words
    }

    static let study = """
        entrain: 1
        study: {identifier: sound, title: Sound, seed: 1}
        sources: {heartRate: {type: simulated}}
        stimuli: {tones: {catalogue: clips.yaml}}
        tasks:
          - identifier: sound
            steps:
              - {type: instruction, identifier: before, title: Before}
              - type: active
                identifier: listen
                title: Listening
                duration: 5 s
                stimulus: {play: tone}
                recorders: [{type: heartRate, identifier: heartRate}]
              - {type: completion, identifier: after, title: After}
        """

    static let catalogue = """
        entrain: 1
        clips:
          - {identifier: tone, file: tone.wav, duration: 8 s}
        """

    /// Eight seconds of a quiet square wave of 250 Hz as a WAV file.
    static var clip: [UInt8] {
        let (rate, seconds) = (8000, 8)
        let count = 2 * rate * seconds
        func number(_ value: Int, _ size: Int) -> [UInt8] {
            (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let head =
            Array("RIFF".utf8) + number(36 + count, 4) + Array("WAVEfmt ".utf8) + number(16, 4) + number(1, 2)
            + number(1, 2) + number(rate, 4) + number(2 * rate, 4) + number(2, 2) + number(16, 2)
            + Array("data".utf8) + number(count, 4)
        return head + (0..<rate * seconds).flatMap { number($0 / 16 % 2 == 0 ? 3000 : -3000, 2) }
    }
}
