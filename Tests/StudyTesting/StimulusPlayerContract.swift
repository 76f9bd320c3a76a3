package import StudyModel
package import StudySession

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
    func expect(_ moment: RunInstant, _ planned: RunInstant, _ words: String) {
        let distance = planned.advanced(by: player.delay).duration(to: moment)
        if max(distance, .zero - distance) > tolerance { broken.append("\(words): \(distance) off") }
    }
    let clock = ManualClock()
    player.begin(on: clock)
    let onsets: [RunInstant] = [.seconds(1), .seconds(1.3), .seconds(2.000_03)]
    let placed = onsets.map { player.place(Sound(.clip(clip)), at: $0) }
    for (placement, onset) in zip(placed, onsets) {
        expect(placement.onset, onset, "begins at another moment")
    }
    if Set(placed.map(\.voice)).count != placed.count { broken.append("gives two sounds one number") }
    guard let length = placed[0].length, length > .seconds(1) else { return broken + ["knows no length"] }
    player.stop(placed[0].voice, at: .seconds(1.5))
    expect(player.outcome(of: placed[0].voice).end, .seconds(1.5), "ends elsewhere than it was stopped")
    player.stop(placed[1].voice, at: .seconds(1000))
    expect(
        player.outcome(of: placed[1].voice).end, onsets[1].advanced(by: length), "is heard beyond its own end"
    )
    player.stop(placed[2].voice, at: .seconds(0.5))
    expect(player.outcome(of: placed[2].voice).end, onsets[2], "is heard though it was stopped before")
    let looping = player.place(Sound(.clip(clip), loops: true), at: .seconds(3))
    if looping.length != nil { broken.append("knows where a loop ends") }
    player.stop(looping.voice, at: .seconds(100))
    expect(player.outcome(of: looping.voice).end, .seconds(100), "ends a loop elsewhere")
    let second = player.place(Sound(.clip(clip), from: length - .milliseconds(500)), at: .seconds(4))
    if let rest = second.length, abs((rest - .milliseconds(500)).seconds) > 2 * tolerance.seconds {
        broken.append("plays \(rest) of the last half second")
    }
    if player.isAudible != (placed[0].sampleRate != nil) { broken.append("is audible without a rate") }
    if let problem = await player.finish(at: .seconds(5)) { broken.append(problem) }
    return broken
}
