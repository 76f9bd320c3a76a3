extension DiagnosticCode {
    /// The mistake in a few words.
    package var title: String { page.title }
    /// Why it is a mistake.
    package var explanation: String { page.explanation }
    /// A study that has the mistake.
    ///
    /// `nil` for mistakes that no short text can show.
    package var example: String? { markedExample.map { $0.filter { $0 != "1️⃣" } } }
    /// `example` with the mark `1️⃣` where the diagnostic points to.
    package var markedExample: String? { page.example }
    /// The same study without the mistake.
    package var remedy: String { page.remedy }

    /// The lines of `example` and of `remedy` in which they differ; nothing where there is no example.
    package var difference: (mistake: String, remedy: String)? {
        guard let example else { return nil }
        let pair = [example, remedy].map { $0.split(separator: "\n", omittingEmptySubsequences: false) }
        let shorter = min(pair[0].count, pair[1].count)
        var head = zip(pair[0], pair[1]).prefix { $0 == $1 }.count
        let tail = min(zip(pair[0].reversed(), pair[1].reversed()).prefix { $0 == $1 }.count, shorter - head)
        if head + tail == shorter, head > 0 { head -= 1 }
        let lines = pair.map { $0[head..<($0.count - tail)].joined(separator: "\n") }
        return (lines[0], lines[1])
    }

    private var page: DiagnosticPage {
        switch self {
        case .notUTF8: .notUTF8
        case .controlCharacter: .controlCharacter
        case .fileTooLarge: .fileTooLarge
        case .tooDeep: .tooDeep
        case .tooManyNodes: .tooManyNodes
        case .tooManyAnchors: .tooManyAnchors
        case .emptyFile: .emptyFile
        case .severalDocuments: .severalDocuments
        case .tabIndentation: .tabIndentation
        case .unclosedQuote: .unclosedQuote
        case .unclosedBracket: .unclosedBracket
        case .badIndentation: .badIndentation
        case .yamlSyntax: .yamlSyntax
        case .unknownAnchor: .unknownAnchor
        case .duplicateKey: .duplicateKey
        case .mergeKey: .mergeKey
        case .tag: .tag
        case .keyKind: .keyKind
        case .unknownKey: .unknownKey
        case .misplacedKey: .misplacedKey
        case .missingKey: .missingKey
        case .missingValue: .missingValue
        case .lostText: .lostText
        case .wrongType: .wrongType
        case .numberFormat: .numberFormat
        case .durationFormat: .durationFormat
        case .quantityFormat: .quantityFormat
        case .outOfRange: .outOfRange
        case .unknownType: .unknownType
        case .unknownWord: .unknownWord
        case .identifierFormat: .identifierFormat
        case .duplicateIdentifier: .duplicateIdentifier
        case .notYetSupported: .notYetSupported
        case .unknownVersion: .unknownVersion
        case .conflictingKeys: .conflictingKeys
        case .emptyList: .emptyList
        case .patternFormat: .patternFormat
        case .addressFormat: .addressFormat
        case .unknownSet: .unknownSet
        case .unknownClip: .unknownClip
        case .unknownSource: .unknownSource
        case .noWaveform: .noWaveform
        case .unknownTarget: .unknownTarget
        case .unknownQuestion: .unknownQuestion
        case .unknownStep: .unknownStep
        case .ambiguousQuestion: .ambiguousQuestion
        case .noRecorder: .noRecorder
        case .unknownAttribute: .unknownAttribute
        case .unknownLanguage: .unknownLanguage
        case .missingTranslation: .missingTranslation
        case .missingFile: .missingFile
        case .outsideLibrary: .outsideLibrary
        case .unreadableFile: .unreadableFile
        case .emptyPool: .emptyPool
        case .weightsMismatch: .weightsMismatch
        case .unreachableStep: .unreachableStep
        case .unreachableRule: .unreachableRule
        case .endlessNavigation: .endlessNavigation
        case .conditionValue: .conditionValue
        case .completionNotLast: .completionNotLast
        case .nestedBlock: .nestedBlock
        case .spanOrder: .spanOrder
        case .noValidOrder: .noValidOrder
        case .orderTooLarge: .orderTooLarge
        case .clipLoudness: .clipLoudness
        case .clipShort: .clipShort
        case .clipDistorted: .clipDistorted
        case .clipChanged: .clipChanged
        }
    }
}

/// What there is to say about a kind of mistake.
struct DiagnosticPage {
    var title: String
    var explanation: String
    /// With the mark `1️⃣` in front of what the diagnostic points to.
    var example: String?
    var remedy: String
}

extension DiagnosticPage {
    /// The study that most pages show: one task of `steps`, a line or more, and a completion step.
    static func study(_ steps: String) -> String {
        let lines = steps.split(separator: "\n", omittingEmptySubsequences: false)
        return """
            entrain: 1
            study: {identifier: rest, title: Rest}
            tasks:
              - identifier: Rest
                steps:
            \(lines.map { $0.isEmpty ? "" : "      \($0)" }.joined(separator: "\n"))
                  - {type: completion, identifier: end}

            """
    }
}
