package import StudyModel

extension FieldShape {
    /// The name of a channel. Whoever names the channels of a stream may write anything, so only usual names leave.
    static let channelName: FieldShape = .usual(usualChannels)

    /// The unit of a channel; for the same reason only usual ones leave.
    static let channelUnit: FieldShape = .usual([
        "%", "1", "Cel", "K", "Pa", "S", "V", "[degF]", "[g]", "[arb'U]", "a.u.", "au", "bpm", "celsius",
        "count", "count/min", "counts", "deg/s", "degC", "g", "hPa", "kPa", "L", "L/s", "L/min", "m/s2",
        "m[g]",
        "mS", "mV", "mbar", "mg/dL", "microsiemens", "microvolts", "millivolts", "mm[Hg]", "mmol/L", "ms",
        "nA",
        "s", "uA", "uS", "uT", "uV", "µS", "µV", "°C",
    ])

    private static let usualChannels: Set<String> = {
        let letters = ["x", "y", "z"]
        let axes = ["acc", "accel", "accelerometer", "gyro", "mag"].flatMap { sensor in
            letters.flatMap { [sensor + $0, "\(sensor)_\($0)", "\(sensor) \($0)"] }
        }
        let numbered = (1...16).flatMap { ["channel \($0)", "ch\($0)", "ppg\($0 - 1)"] }
        let leads = ["I", "II", "III", "aVR", "aVL", "aVF"] + (1...6).map { "V\($0)" }
        let words =
            Signal.waves.flatMap { [$0.name] + ($0.waveForm?.streamTypes ?? []) } + letters + axes + numbered
            + [
                "ambient", "battery", "bvp", "eda", "ekg", "resp", "respiration", "belt", "temperature",
                "temp",
            ]
        return Set(leads + words.flatMap { [$0, $0.lowercased(), $0.uppercased(), capitalised($0)] })
    }()

    /// Channels whose names and units may leave; the others have other names.
    ///
    /// - Parameter removed: what stands for a word that does not leave.
    package static func harmless(_ layout: WaveLayout, removed: String) -> WaveLayout {
        WaveLayout(
            layout.channels.map { channel in
                WaveLayout.Channel(
                    usualChannels.contains(channel.name) ? channel.name : removed, unit: channel.unit)
            }, rate: layout.rate)
    }

    private static func capitalised(_ word: String) -> String {
        word.prefix(1).uppercased() + word.dropFirst().lowercased()
    }
}
