extension Reading {
    /// Reads a file's tree, and adds what is wrong with it.
    ///
    /// Where the reading ended early, what the rest of the file may put right is not told.
    func read<Value>(_ tree: TreeBuilder, as kind: Kind<Value>) -> Value? {
        let value = tree.root.flatMap { kind.read($0, self) }
        add(tree.diagnostics)
        guard let parts = tree.wholeParts else { return value }
        keep { diagnostic in
            switch diagnostic.code.horizon {
            case .value: true
            case .group: parts.contain(diagnostic.range.start)
            case .section(let key):
                tree.root?.value(of: key).map { parts.contain($0.range.start) } == true
            case .study: false
            }
        }
        return nil
    }
}

extension Node {
    fileprivate func value(of key: String) -> Node? {
        guard case .mapping(let pairs) = content else { return nil }
        return pairs.value(of: key)
    }
}

extension DiagnosticCode {
    /// How much of a file must have been read for a mistake to be certain.
    enum Horizon {
        /// The value itself: nothing that follows can put it right.
        case value
        /// The group of keys, or the list, that it stands in.
        case group
        /// The value of a key of the whole study.
        case section(String)
        /// All of it.
        case study
    }

    fileprivate var horizon: Horizon {
        switch self {
        case .notUTF8, .controlCharacter, .fileTooLarge, .tooDeep, .tooManyNodes, .tooManyAnchors, .emptyFile,
            .severalDocuments, .tabIndentation, .unclosedQuote, .unclosedBracket, .badIndentation,
            .yamlSyntax,
            .unknownAnchor, .duplicateKey, .mergeKey, .tag, .keyKind, .unknownKey, .misplacedKey, .lostText,
            .wrongType, .numberFormat, .durationFormat, .quantityFormat, .outOfRange, .unknownType,
            .unknownWord,
            .identifierFormat, .duplicateIdentifier, .notYetSupported, .unknownVersion, .patternFormat,
            .addressFormat, .unknownLanguage, .missingFile, .outsideLibrary, .unreadableFile, .nestedBlock,
            .clipLoudness, .clipShort, .clipDistorted, .clipChanged:
            .value
        case .missingKey, .missingValue, .conflictingKeys, .emptyList, .emptyPool, .missingTranslation: .group
        case .unknownSet, .unknownClip: .section("stimuli")
        case .unknownSource, .noWaveform: .section("sources")
        case .unknownTarget, .unknownQuestion, .unknownStep, .ambiguousQuestion, .noRecorder,
            .unknownAttribute,
            .weightsMismatch, .unreachableStep, .unreachableRule, .endlessNavigation, .conditionValue,
            .completionNotLast, .spanOrder, .noValidOrder, .orderTooLarge:
            .study
        }
    }
}
