package import SessionPorts
package import StudyModel

/// Checks the laws of `StimulusPlayer` on a clock that stands still.
///
/// - Parameters:
///   - clip: a clip of more than a second that the player knows.
///   - tolerance: half a frame of the player's output.
/// - Returns: each broken law in words; empty where the player keeps them all.
package func checkStimulusPlayerContract(
    _ player: some StimulusPlayer, clip: Stimulus, tolerance: Duration
) async -> [String] {
    var broken: [String] = []
    func expect(_ moment: RunInstant?, _ planned: RunInstant, _ words: String) {
        guard let moment else { return broken.append("\(words): never") }
        let distance = planned.advanced(by: player.delay).duration(to: moment)
        if max(distance, .zero - distance) > tolerance { broken.append("\(words): \(distance) off") }
    }
    let clock = ManualClock()
    player.begin(on: clock)
    let onsets: [RunInstant] = [.seconds(1), .seconds(1.3), .seconds(2.000_03)]
    let placed = onsets.enumerated().map { player.place(Sound(.clip(clip)), as: $0.offset, at: $0.element) }
    for (place, onset) in zip(placed, onsets) {
        expect(place.playback.onset, onset, "begins at another moment")
    }
    guard let length = placed[0].length, length > .seconds(1) else { return broken + ["knows no length"] }
    player.stop(0, at: .seconds(1.5))
    expect(player.outcome(of: 0).end, .seconds(1.5), "ends elsewhere than it was stopped")
    player.stop(1, at: .seconds(1000))
    expect(
        player.outcome(of: 1).end, onsets[1].advanced(by: length), "is heard beyond its own end"
    )
    player.stop(2, at: .seconds(0.5))
    expect(player.outcome(of: 2).end, onsets[2], "is heard though it was stopped before")
    let looping = player.place(Sound(.clip(clip), Playback.Settings(loops: true)), as: 3, at: .seconds(3))
    if looping.length != nil { broken.append("knows where a loop ends") }
    player.stop(3, at: .seconds(100))
    expect(player.outcome(of: 3).end, .seconds(100), "ends a loop elsewhere")
    let second = player.place(
        Sound(.clip(clip), from: length - .milliseconds(500)), as: 4, at: .seconds(4))
    if let rest = second.length, abs((rest - .milliseconds(500)).seconds) > 2 * tolerance.seconds {
        broken.append("plays \(rest) of the last half second")
    }
    var level = Playback.Settings()
    level.gainUnderPrompts = -6
    let softer = player.place(Sound(.clip(clip), level), as: 5, at: .seconds(5))
    for (moment, gain) in [(5.25, -6.0), (5.5, 0)] {
        guard let (change, length) = player.change(5, tempo: 2, gain: gain, at: .seconds(moment)) else {
            broken.append("does not change a clip")
            continue
        }
        expect(change.instant, .seconds(moment), "changes a clip at another moment")
        let played = Duration.seconds(moment - 5)
        if change.tempo != 1 || change.gain != gain
            || abs((change.position - played).seconds) > 2 * tolerance.seconds
            || length != softer.length
        {
            broken.append("changes a clip that does not follow to \(change), \(String(describing: length))")
        }
    }
    player.stop(5, at: .seconds(5.75))
    if player.change(5, tempo: 1, gain: 0, at: .seconds(5.8)) != nil {
        broken.append("changes a clip after its end")
    }
    _ = player.outcome(of: 5)
    if player.isAudible != (placed[0].playback.sampleRate != nil) {
        broken.append("is audible without a rate")
    }
    if let problem = await player.finish(at: .seconds(5)) { broken.append(problem) }
    return broken
}
