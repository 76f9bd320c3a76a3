import StudyModel
package import TextFormat

/// What a field of a bundle's JSON holds, and what is done with it where nobody must be recognised.
///
/// The shapes list every key that the program writes. From them come the JSON Schemas for data teams, and what may leave
/// in pseudonymised data: a field that is in no shape is dropped, and so is a value of another form than its shape says.
package indirect enum FieldShape: Sendable {
    // These may leave as they are.
    case boolean
    case integer(ClosedRange<Int>)
    case number(ClosedRange<Double>)
    /// A number; one that JSON cannot write is a text: `inf`, `-inf` or `nan`.
    case real
    /// This text and no other. It tells apart what `either` lists.
    case constant(String)
    /// One of these words; another one is replaced.
    case word(Set<String>)
    /// A text; only these words leave, and any other is replaced.
    case usual(Set<String>)
    /// A text of digits and colons: `07:45`.
    case timeOfDay
    case checksum

    // What the study calls something may leave without codes, addresses, names of machines and, where they move, dates.
    case text, identifier
    /// Words of a participant are replaced and counted; those of a machine are replaced.
    case typed, replaced
    /// A day that a participant told is dropped, and counted.
    case answeredDate
    /// A date in ResearchKit's form, or seconds since 1970, is moved.
    case date, moment
    /// A run, a participant or a recorder's file gets another name.
    case run, participant, file
    /// Does not leave.
    case dropped(FieldShape)

    case list(FieldShape)
    /// A list of as many values.
    case tuple([FieldShape])
    case fields(required: [String: FieldShape], optional: [String: FieldShape])
    /// Whatever the names are; names may leave without what must not leave.
    case named(FieldShape)
    /// A case of an enum: its name alone, or its name with what belongs to it.
    case cases([String: FieldShape?])
    /// The first that `fits`, or else all of them `merged`.
    case either([FieldShape])

    /// Members that may all be missing.
    package static func fields(_ optional: [String: FieldShape]) -> Self {
        .fields(required: [:], optional: optional)
    }

    /// Members of which none is missing.
    package static func all(_ required: [String: FieldShape]) -> Self {
        .fields(required: required, optional: [:])
    }

    static func words<Word: RawRepresentable & CaseIterable>(_: Word.Type) -> Self
    where Word.RawValue == String {
        .word(Set(Word.allCases.map(\.rawValue)))
    }

    static let count: FieldShape = .integer(BundleLimits.count)
    /// Seconds since the run's start, or a length of time in seconds.
    static let seconds: FieldShape = .number(BundleLimits.seconds)
    /// The same in whole nanoseconds.
    static let nanoseconds: FieldShape = .integer(BundleLimits.nanoseconds)
    static let elapsedNanoseconds: FieldShape = .integer(BundleLimits.elapsedNanoseconds)
    static let whole: FieldShape = .integer(Int.min...Int.max)
}

extension FieldShape {
    /// The fields of several shapes together, for a value that fits none of them: a damaged item stays an item.
    package static func merged(_ shapes: [FieldShape]) -> FieldShape {
        var (all, words): ([String: FieldShape], [String: Set<String>]) = ([:], [:])
        for case .fields(let required, let optional) in shapes {
            for (key, shape) in required.merging(optional, uniquingKeysWith: { $1 }) {
                if case .constant(let text) = shape {
                    words[key, default: []].insert(text)
                } else if all[key] == nil {
                    all[key] = shape
                }
            }
        }
        return .fields(all.merging(words.mapValues { .word($0) }) { $1 })
    }

    /// Whether a value has this shape at first sight: its own form, its required members and its constants.
    package func fits(_ value: JSON) -> Bool {
        switch (self, value) {
        case (.fields(let required, _), .object(let object)):
            required.allSatisfy { key, shape in
                guard let member = object[key] else { return false }
                if case .constant(let text) = shape { return member.text == text }
                return true
            }
        case (.fields, _), (_, .object): false
        case (.list, .list): true
        case (.list, _), (_, .list): false
        case (_, _): true
        }
    }
}
