/// What people write beside the digits: units, marks for halves of the day, days of the week.
enum NotationWords {
    /// Words for the same unit, a line each.
    private static let units = [
        // Years, such as an age.
        [
            "y", "yo", "year", "years", "yrs", "years old", "jahr", "jahre", "jahre alt", "an", "ans", "ano",
            "anos", "anni",
            "jaar", "ar", "let", "lat", "лет", "год", "года", "yıl", "yasında", "vuotta", "歳", "岁", "세",
            "ετη", "ετων",
            "χρονια", "χρονων", "سنة", "سنوات", "عام", "عاما",
        ],
        [
            "kg", "kgs", "kilo", "kilos", "kilogram", "kilograms", "kilogramme", "kilogrammes", "kilogramm",
            "kilogramos",
            "κιλα", "κιλο", "كغ", "كجم", "كيلو", "كيلوغرام",
        ],
        ["m", "meter", "meters", "metre", "metres", "metro", "metros", "μετρα", "متر"],
        [
            "cm", "centimeter", "centimeters", "centimetre", "centimetres", "zentimeter", "centimetro",
            "centimetros", "εκ",
            "εκατοστα", "سم", "سنتيمتر",
        ],
        [
            "h", "hr", "hrs", "hour", "hours", "std", "stunde", "stunden", "heure", "heures", "hora", "horas",
            "ωρα", "ωρες",
            "ساعة", "ساعات",
        ],
        [
            "m", "'", "mn", "min", "mins", "minute", "minutes", "minuten", "minuto", "minutos", "λεπτα",
            "λεπτο", "دقيقة", "دقائق",
        ],
        [
            "s", "sec", "secs", "second", "seconds", "sek", "sekunde", "sekunden", "seconde", "secondes",
            "segundo", "segundos",
            "δευτερολεπτα", "ثانية", "ثوان",
        ],
        [
            "%", "٪", "percent", "per cent", "prozent", "pour cent", "pourcent", "por ciento", "por cien",
            "τοις εκατο",
        ],
        [
            "°c", "° c", "°", "c", "celsius", "degrees", "degrees celsius", "grad", "grad celsius", "degres",
            "degres celsius",
            "grados", "grados centigrados", "grados celsius", "βαθμοι", "درجة",
        ],
        ["€", "eur", "euro", "euros", "ευρω", "يورو"], ["$", "usd", "dollar", "dollars"],
        ["£", "gbp", "pound", "pounds"],
    ].map { Set($0.map { Notation.folded($0) }) }

    /// All words for a unit; those for years if the question names none.
    static func words(for unit: String?) -> Set<String> {
        guard let unit else { return units[0] }
        let name = Notation.folded(unit).trimmed
        let words =
            units.first { $0.contains(name) || name.last == "." && $0.contains(String(name.dropLast())) }
            ?? []
        // One of many: `1 cup` in cups, `1 Tasse` in Tassen.
        let one =
            name.count > 3 && (name.hasSuffix("s") || name.hasSuffix("n")) ? [String(name.dropLast())] : []
        return words.union([name] + one)
    }

    static let minus = ["minus", "moins", "menos", "meno", "μειον", "ناقص"]

    /// Marks behind a time for the first half of the day and the second, without spaces.
    static let halves: [(mark: String, isSecond: Bool)] =
        ["a.m.", "a.m", "am", "a", "π.μ.", "πμ", "ص", "صباحا"].map { ($0, false) }
        + ["p.m.", "p.m", "pm", "p", "μ.μ.", "μμ", "م", "مساء"].map { ($0, true) }
    /// Words behind a time, which say again what hours of 24 say too.
    static let partsOfDay: [(mark: String, isSecond: Bool)] =
        ["inthemorning", "morgens", "dumatin", "delamanana"].map { ($0, false) }
        + ["intheafternoon", "intheevening", "nachmittags", "abends", "delapresmidi", "dusoir", "delatarde"]
        .map { ($0, true) }
    static let hours = ["uhr", "heures", "heure", "horas", "hora", "hrs", "hs", "h"]

    /// Sunday to Saturday, as names or the short forms that begin them.
    private static let days = [
        "sunday sonntag dimanche domingo κυριακη الأحد", "monday montag lundi lunes δευτερα الاثنين",
        "tuesday dienstag mardi martes τριτη الثلاثاء",
        "wednesday mittwoch mercredi miercoles τεταρτη الأربعاء",
        "thursday donnerstag jeudi jueves πεμπτη الخميس", "friday freitag vendredi viernes παρασκευη الجمعة",
        "saturday samstag samedi sabado σαββατο السبت",
    ]

    /// The days of the week that a word may mean, 0 for Sunday; two letters or more.
    static func daysOfWeek(_ word: Substring) -> Set<Int> {
        let word = Notation.folded(word)
        guard word.count > 1 else { return [] }
        return Set(
            days.indices.filter { day in
                days[day].split(separator: " ").contains { Notation.folded($0).hasPrefix(word) }
            })
    }
}
