import StudyModel

/// Language tags: ISO 639-1, optionally with a region of ISO 3166-1 or UN M.49.
package enum LanguageTag {
    /// A regular expression for every known tag.
    static let pattern = "^(" + codes.joined(separator: "|") + ")(-([A-Z]{2}|[0-9]{3}))?$"

    package static func isKnown(_ tag: String) -> Bool {
        let parts = tag.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count <= 2, known.contains(String(parts[0])) else { return false }
        guard parts.count == 2 else { return true }
        let region = parts[1].unicodeScalars
        return region.count == 2 && region.allSatisfy { ("A"..."Z").contains($0) }
            || region.count == 3 && region.allSatisfy { ("0"..."9").contains($0) }
    }

    /// The tag that was probably meant by a name, a three-letter code, a country or a careless spelling.
    package static func suggestion(for text: String) -> String? {
        let parts = text.lowercased().split { $0 == "-" || $0 == "_" }
        guard let first = parts.first.map(String.init) else { return nil }
        let words = names.keys.sorted()
        let begun = Set(names.filter { $0.key.hasPrefix(first) }.values)
        let named = names[first] ?? Suggestion.nearest(to: first, among: words).flatMap { names[$0] }
        let code =
            known.contains(first)
            ? first
            : aliases[first] ?? (first.count > 3 ? named : nil)
                ?? (begun.count == 1 ? begun.first : nil)
        guard let code else { return nil }
        let region = parts.count == 2 && parts[1].count == 2 ? "-" + parts[1].uppercased() : ""
        return isKnown(code + region) ? code + region : code
    }

    private static let codes =
        """
        aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee \
        el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is \
        it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms \
        mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk \
        sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi \
        yo za zh zu
        """.split(separator: " ").map(String.init)
    private static let known = Set(codes)

    private static let names = [
        "arabic": "ar", "chinese": "zh", "czech": "cs", "danish": "da", "deutsch": "de", "dutch": "nl",
        "english": "en", "español": "es", "finnish": "fi", "français": "fr", "french": "fr", "german": "de",
        "greek": "el", "hebrew": "he", "hindi": "hi", "hungarian": "hu", "italian": "it", "italiano": "it",
        "japanese": "ja", "korean": "ko", "norwegian": "no", "polish": "pl", "portuguese": "pt",
        "romanian": "ro",
        "russian": "ru", "spanish": "es", "swedish": "sv", "turkish": "tr", "ukrainian": "uk",
        "vietnamese": "vi",
    ]

    /// Countries and three-letter codes that people often write instead of a language.
    private static let aliases = [
        "at": "de", "cn": "zh", "cz": "cs", "deu": "de", "dk": "da", "dut": "nl", "ger": "de", "gr": "el",
        "jp": "ja", "jpn": "ja", "nld": "nl", "por": "pt", "spa": "es", "swe": "sv", "ua": "uk", "us": "en",
        "zho": "zh",
    ]
}
