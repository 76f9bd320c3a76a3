import StudyFile
import StudyModel
import StudyTesting
import Testing

/// Which clips a study can play.
@Suite struct StudyClipsTests {
    @Test func `clips count that only one round or one arm names`() throws {
        let parsed = parse(
            study(
                """
                - {type: active, identifier: before, duration: 5 s, stimulus: {play: $own}}
                - type: block
                  identifier: pieces
                  forEach: songs
                  steps: [{type: active, identifier: hear, duration: 5 s, stimulus: {play: $song}}]
                """,
                head: """
                    stimuli: {clips: {catalogue: clips.yaml, pool: [chill_1]}}
                    arms: [{identifier: a, values: {own: dark_1}}, {identifier: b, values: {own: dark_2}}]
                    conditions: {songs: {rows: [{identifier: x, song: chill_1}, {identifier: y, song: happy_1}]}}
                    """))
        #expect(parsed.diagnostics.isEmpty, "\(parsed.diagnostics.rendered(isColoured: false))")
        let clips = try #require(parsed.study).clips.map(\.identifier.text)
        #expect(clips.sorted() == ["chill_1", "dark_1", "dark_2", "happy_1"])
    }
}
