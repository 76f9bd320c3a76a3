extension Phrase {
    /// What the keys do.
    static let keyWords: [Phrase: Row] = [
        .stepOf: Row("Step %1 of %2", fr: "Étape %1 sur %2", de: "Schritt %1 von %2", es: "Paso %1 de %2"),
        .keyReturn: Row("Return", fr: "Entrée", de: "Eingabe", es: "Intro"),
        .keySpace: Row("Space", fr: "Espace", de: "Leertaste", es: "Espacio"),
        .keyEscape: Row("Esc", fr: "Échap", de: "Esc", es: "Esc"),
        .keyTab: Row("Tab", fr: "Tab", de: "Tab", es: "Tab"),
        .keyNumbers: Row("digits", fr: "chiffres", de: "Ziffern", es: "cifras"),
        .toGoOn: Row("go on", fr: "continuer", de: "weiter", es: "continuar"),
        .toBegin: Row("begin", fr: "commencer", de: "beginnen", es: "empezar"),
        .toFinish: Row("finish", fr: "terminer", de: "abschließen", es: "terminar"),
        .toConfirm: Row("confirm", fr: "valider", de: "bestätigen", es: "confirmar"),
        .toAgree: Row("I agree", fr: "j’accepte", de: "ich stimme zu", es: "estoy de acuerdo"),
        .toReadOn: Row("read on", fr: "lire la suite", de: "weiterlesen", es: "seguir leyendo"),
        .toScroll: Row("read", fr: "lire", de: "lesen", es: "leer"),
        .toChoose: Row("choose", fr: "choisir", de: "wählen", es: "elegir"),
        .toTick: Row("tick", fr: "cocher", de: "ankreuzen", es: "marcar"),
        .toNextQuestion: Row(
            "next question",
            fr: "question suivante",
            de: "nächste Frage",
            es: "pregunta siguiente"),
        .toPause: Row("pause", fr: "pause", de: "Pause", es: "pausa"),
        .toResume: Row("go on", fr: "reprendre", de: "fortsetzen", es: "reanudar"),
        .toSkip: Row("skip", fr: "passer", de: "überspringen", es: "omitir"),
        .toGoBack: Row("back", fr: "retour", de: "zurück", es: "atrás"),
        .toLeave: Row("leave", fr: "quitter", de: "verlassen", es: "salir"),
        .toStay: Row("stay", fr: "rester", de: "bleiben", es: "quedarse"),
        .toTyping: Row(
            "go on typing",
            fr: "reprendre la saisie",
            de: "weiterschreiben",
            es: "seguir escribiendo"),
        .moreBelow: Row("more below", fr: "suite plus bas", de: "weiter unten mehr", es: "más abajo"),
    ]
}
