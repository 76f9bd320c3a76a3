/// The name of a kind of mistake. It never changes, so it can be looked up, filtered and linked to.
package enum DiagnosticCode: String, CaseIterable, Hashable, Sendable {
    case notUTF8 = "not-utf8"
    case controlCharacter = "control-character"
    case fileTooLarge = "file-too-large"
    case tooDeep = "too-deep"
    case tooManyNodes = "too-many-nodes"
    case tooManyAnchors = "too-many-anchors"
    case emptyFile = "empty-file"
    case severalDocuments = "several-documents"
    case tabIndentation = "tab-indentation"
    case unclosedQuote = "unclosed-quote"
    case unclosedBracket = "unclosed-bracket"
    case badIndentation = "bad-indentation"
    case yamlSyntax = "yaml-syntax"
    case unknownAnchor = "unknown-anchor"
    case duplicateKey = "duplicate-key"
    case mergeKey = "merge-key"
    case tag
    case keyKind = "key-kind"
    case unknownKey = "unknown-key"
    case misplacedKey = "misplaced-key"
    case missingKey = "missing-key"
    case missingValue = "missing-value"
    case lostText = "lost-text"
    case otherReaders = "other-readers"
    case wrongType = "wrong-type"
    case numberFormat = "number-format"
    case durationFormat = "duration-format"
    case quantityFormat = "quantity-format"
    case outOfRange = "out-of-range"
    case unknownType = "unknown-type"
    case unknownWord = "unknown-word"
    case identifierFormat = "identifier-format"
    case duplicateIdentifier = "duplicate-identifier"
    case notYetSupported = "not-yet-supported"
    case unknownVersion = "unknown-version"
    case conflictingKeys = "conflicting-keys"
    case emptyList = "empty-list"
    case patternFormat = "pattern-format"
    case addressFormat = "address-format"
    case unknownSet = "unknown-set"
    case unknownClip = "unknown-clip"
    case unknownSource = "unknown-source"
    case noWaveform = "no-waveform"
    case noTempo = "no-tempo"
    case ratingKeys = "rating-keys"
    case tapKeys = "tap-keys"
    case biofeedbackStep = "biofeedback-step"
    case soundCheckStep = "sound-check-step"
    case promptAnswer = "prompt-answer"
    case unknownArm = "unknown-arm"
    case allocationDesign = "allocation-design"
    case allocationStep = "allocation-step"
    case allocationOrder = "allocation-order"
    case noCommitment = "no-commitment"
    case unknownTask = "unknown-task"
    case unknownSession = "unknown-session"
    case sessionOrder = "session-order"
    case sessionWindow = "session-window"
    case unknownTarget = "unknown-target"
    case unknownQuestion = "unknown-question"
    case unknownStep = "unknown-step"
    case stepOrder = "step-order"
    case ambiguousQuestion = "ambiguous-question"
    case scoreInput = "score-input"
    case staircase
    case outcomeSubject = "outcome-subject"
    case outcomeBaseline = "outcome-baseline"
    case noValue = "no-value"
    case noRecorder = "no-recorder"
    case noClip = "no-clip"
    case unknownAttribute = "unknown-attribute"
    case unknownPlace = "unknown-place"
    case foreignMarkup = "foreign-markup"
    case unknownLanguage = "unknown-language"
    case missingTranslation = "missing-translation"
    case missingFile = "missing-file"
    case missingProgram = "missing-program"
    case outsideLibrary = "outside-library"
    case unreadableFile = "unreadable-file"
    case emptyPool = "empty-pool"
    case noWords = "no-words"
    case sameText = "same-text"
    case sameArms = "same-arms"
    case weightsMismatch = "weights-mismatch"
    case unreachableStep = "unreachable-step"
    case unreachableRule = "unreachable-rule"
    case nothingToReview = "nothing-to-review"
    case endlessNavigation = "endless-navigation"
    case conditionValue = "condition-value"
    case completionNotLast = "completion-not-last"
    case nestedBlock = "nested-block"
    case spanOrder = "span-order"
    case musicOverlap = "music-overlap"
    case noValidOrder = "no-valid-order"
    case orderTooLarge = "order-too-large"
    case clipLoudness = "clip-loudness"
    case clipShort = "clip-short"
    case clipDistorted = "clip-distorted"
    case clipChanged = "clip-changed"
    case clipDuration = "clip-duration"
    case clipFade = "clip-fade"
    case clipTwice = "clip-twice"
    case clipSilent = "clip-silent"
    case attributeName = "attribute-name"
    case attributeValue = "attribute-value"
    case documentName = "document-name"
    case noSeed = "no-seed"
    case repeatedClip = "repeated-clip"
    case idleRounds = "idle-rounds"
    case shortForeperiod = "short-foreperiod"
    case idleRule = "idle-rule"
    case idleVisits = "idle-visits"
    case noSource = "no-source"
    case unusedName = "unused-name"
    case olderWords = "older-words"
    case unmetExpectation = "unmet-expectation"
    case changedStudy = "changed-study"
}

extension Diagnostic {
    /// Whether it follows from the study as a whole.
    var isHint: Bool {
        let codes: Set<DiagnosticCode> = [
            .noSeed, .repeatedClip, .idleRounds, .shortForeperiod, .idleRule, .idleVisits, .unusedName,
            .unreachableRule, .unreachableStep, .noSource, .missingTranslation, .unknownPlace,
        ]
        return severity == .warning && codes.contains(code)
    }
}

extension DiagnosticCode {
    /// How much of a file must have been read before a mistake is certain.
    enum Horizon {
        /// The value itself; nothing after it can correct the mistake.
        case value
        /// The group of keys, or the list, that contains it.
        case group
        /// The value of a top-level key of the study.
        case section(String)
        /// The whole study.
        case study
    }

    var horizon: Horizon {
        switch self {
        case .notUTF8, .controlCharacter, .fileTooLarge, .tooDeep, .tooManyNodes, .tooManyAnchors, .emptyFile,
            .severalDocuments, .tabIndentation, .unclosedQuote, .unclosedBracket, .badIndentation,
            .yamlSyntax,
            .unknownAnchor, .duplicateKey, .mergeKey, .tag, .keyKind, .unknownKey, .misplacedKey, .lostText,
            .otherReaders,
            .wrongType, .numberFormat, .durationFormat, .quantityFormat, .outOfRange, .unknownType,
            .unknownWord,
            .identifierFormat, .duplicateIdentifier, .notYetSupported, .unknownVersion, .patternFormat,
            .addressFormat, .unknownLanguage, .missingFile, .missingProgram, .outsideLibrary, .unreadableFile,
            .nestedBlock,
            .clipLoudness, .clipShort, .clipDistorted, .clipChanged, .clipDuration, .clipFade, .clipTwice,
            .clipSilent, .foreignMarkup, .noWords, .sameText, .attributeName,
            .attributeValue, .documentName, .promptAnswer, .sessionWindow, .olderWords:
            .value
        case .missingKey, .missingValue, .conflictingKeys, .ratingKeys, .tapKeys, .biofeedbackStep,
            .emptyList, .emptyPool,
            .missingTranslation:
            .group
        case .unknownSet, .unknownClip, .noTempo: .section("stimuli")
        case .unknownSource, .noWaveform: .section("sources")
        case .unknownArm: .section("arms")
        case .unknownTask: .section("tasks")
        case .unknownSession, .sessionOrder: .section("sessions")
        case .soundCheckStep, .allocationDesign, .allocationStep, .allocationOrder, .noCommitment,
            .unknownTarget,
            .unknownQuestion, .unknownStep, .stepOrder, .ambiguousQuestion, .noRecorder, .noClip,
            .scoreInput, .staircase, .outcomeSubject, .outcomeBaseline, .noValue, .unknownPlace,
            .unmetExpectation,
            .unknownAttribute,
            .weightsMismatch, .unreachableStep, .unreachableRule, .nothingToReview, .endlessNavigation,
            .conditionValue,
            .completionNotLast, .spanOrder, .musicOverlap, .noValidOrder, .orderTooLarge, .noSeed,
            .repeatedClip,
            .idleRounds, .shortForeperiod, .idleRule, .idleVisits, .noSource, .unusedName, .sameArms,
            .changedStudy:
            .study
        }
    }
}
