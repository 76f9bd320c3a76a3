/// A kind of person, by what sets them apart at a keyboard.
package struct Person: Hashable, Sendable {
    package var name: String
    package var columns = 80
    package var rows = 24
    /// Whether they read line by line, as with a screen reader.
    package var readsLines = false
    /// Whether they type something else first and delete it, press Return twice, and want to leave once.
    package var isNervous = false
    /// Whether an answer and its Return come at once.
    package var isFast = false
    /// Whether they read in the other languages of the study, rather than in the first.
    package var isForeign = false

    package static let all = [
        Person(name: "nervous", isNervous: true),
        Person(name: "old", columns: 40, rows: 12),
        Person(name: "fast", isFast: true),
        Person(name: "blind", readsLines: true),
        Person(name: "foreign", columns: 40, rows: 12, isForeign: true),
    ]
}
