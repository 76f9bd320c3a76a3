extension Phrase {
    /// What only the presentation by lines says.
    static let lineWords: [Phrase: Row] = [
        .lineGoOn: Row(
            "Press Return to go on.",
            fr: "Appuyez sur Entrée pour continuer.",
            de: "Drücken Sie Eingabe, um fortzufahren.",
            es: "Pulse Intro para continuar."),
        .lineBegin: Row(
            "Press Return to begin.",
            fr: "Appuyez sur Entrée pour commencer.",
            de: "Drücken Sie Eingabe, um zu beginnen.",
            es: "Pulse Intro para empezar."),
        .lineFinish: Row(
            "Press Return to finish.",
            fr: "Appuyez sur Entrée pour terminer.",
            de: "Drücken Sie Eingabe, um abzuschließen.",
            es: "Pulse Intro para terminar."),
        .lineResume: Row(
            "Type %1 to go on.",
            fr: "Tapez %1 pour reprendre.",
            de: "Schreiben Sie %1, um fortzufahren.",
            es: "Escriba %1 para reanudar."),
        .lineChoice: Row(
            "Type the number of your answer.",
            fr: "Tapez le numéro de votre réponse.",
            de: "Schreiben Sie die Nummer Ihrer Antwort.",
            es: "Escriba el número de su respuesta."),
        .lineChoices: Row(
            "Type the numbers of all that apply, with spaces between them.",
            fr: "Tapez les numéros de tout ce qui convient, séparés par des espaces.",
            de: "Schreiben Sie die Nummern von allem, was zutrifft, mit Leerzeichen dazwischen.",
            es: "Escriba los números de todo lo que corresponda, separados por espacios."),
        .lineText: Row(
            "Type your answer.",
            fr: "Tapez votre réponse.",
            de: "Schreiben Sie Ihre Antwort.",
            es: "Escriba su respuesta."),
        .lineAgree: Row(
            "Type %1 to agree.",
            fr: "Tapez %1 pour accepter.",
            de: "Schreiben Sie %1, um zuzustimmen.",
            es: "Escriba %1 para aceptar."),
        .lineSign: Row(
            "Type your full name to agree.",
            fr: "Tapez votre nom complet pour accepter.",
            de: "Schreiben Sie Ihren vollständigen Namen, um zuzustimmen.",
            es: "Escriba su nombre completo para aceptar."),
        .lineLeaveOut: Row(
            "An empty line leaves it unanswered.",
            fr: "Une ligne vide laisse la question sans réponse.",
            de: "Eine leere Zeile lässt die Frage unbeantwortet.",
            es: "Una línea vacía deja la pregunta sin respuesta."),
        .lineCommands: Row(
            "You can also type: %1",
            fr: "Vous pouvez aussi taper\u{A0}: %1",
            de: "Sie können auch schreiben: %1",
            es: "También puede escribir: %1"),
        .lineQuotes: Row(
            "To answer with one of these words, put it in quotation marks.",
            fr: "Pour répondre par un de ces mots, mettez-le entre guillemets.",
            de: "Um mit einem dieser Wörter zu antworten, setzen Sie es in Anführungszeichen.",
            es: "Para responder con una de estas palabras, póngala entre comillas."),
        .lineHeartRate: Row(
            "Heart rate: %1 beats per minute",
            fr: "Fréquence cardiaque\u{A0}: %1 battements par minute",
            de: "Herzfrequenz: %1 Schläge pro Minute",
            es: "Frecuencia cardíaca: %1 latidos por minuto"),
        .lineNotOffered: Row(
            "That is not possible just now.",
            fr: "Ce n’est pas possible pour l’instant.",
            de: "Das ist gerade nicht möglich.",
            es: "Eso no es posible ahora mismo."),
        .wordBack: Row("back", fr: "retour", de: "zurück", es: "atrás"),
        .wordSkip: Row("skip", fr: "passer", de: "überspringen", es: "omitir"),
        .wordPause: Row("pause", fr: "pause", de: "pause", es: "pausa"),
        .wordResume: Row("resume", fr: "reprendre", de: "fortsetzen", es: "reanudar"),
        .wordQuit: Row("quit", fr: "quitter", de: "verlassen", es: "salir"),
        .wordHelp: Row("?", fr: "?", de: "?", es: "?"),
        .wordYes: Row("yes", fr: "oui", de: "ja", es: "sí"),
        .wordNo: Row("no", fr: "non", de: "nein", es: "no"),
    ]
}
