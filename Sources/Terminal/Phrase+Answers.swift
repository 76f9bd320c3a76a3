extension Phrase {
    /// Questions, and what to do where an answer does not fit.
    static let answerWords: [Phrase: Row] = [
        .optional: Row("optional", fr: "facultatif", de: "freiwillig", es: "opcional"),
        .fullName: Row(
            "Your full name",
            fr: "Votre nom complet",
            de: "Ihr vollständiger Name",
            es: "Su nombre completo"),
        .pleaseAnswer: Row(
            "Please answer: %1",
            fr: "Veuillez répondre\u{A0}: %1",
            de: "Bitte beantworten Sie: %1",
            es: "Por favor, responda: %1"),
        .pleaseChoose: Row(
            "Please choose an answer.",
            fr: "Veuillez choisir une réponse.",
            de: "Bitte wählen Sie eine Antwort.",
            es: "Por favor, elija una respuesta."),
        .pleaseWrite: Row(
            "Please write an answer.",
            fr: "Veuillez écrire une réponse.",
            de: "Bitte schreiben Sie eine Antwort.",
            es: "Por favor, escriba una respuesta."),
        .pleaseName: Row(
            "Please type your full name.",
            fr: "Veuillez saisir votre nom complet.",
            de: "Bitte schreiben Sie Ihren vollständigen Namen.",
            es: "Por favor, escriba su nombre completo."),
        .writeNumber: Row(
            "Write a number, such as 12.5",
            fr: "Écrivez un nombre, par exemple 12,5",
            de: "Schreiben Sie eine Zahl, etwa 12,5",
            es: "Escriba un número, por ejemplo 12,5"),
        .numberBetween: Row(
            "Choose a number from %1 to %2",
            fr: "Choisissez un nombre de %1 à %2",
            de: "Wählen Sie eine Zahl von %1 bis %2",
            es: "Elija un número del %1 al %2"),
        .numberAtLeast: Row(
            "The number must be at least %1",
            fr: "Le nombre doit être au moins %1",
            de: "Die Zahl muss mindestens %1 sein",
            es: "El número debe ser al menos %1"),
        .numberAtMost: Row(
            "The number must be at most %1",
            fr: "Le nombre doit être au plus %1",
            de: "Die Zahl darf höchstens %1 sein",
            es: "El número debe ser como máximo %1"),
        .tooLong: Row(
            "At most %1 characters fit here",
            fr: "Au plus %1 caractères",
            de: "Höchstens %1 Zeichen",
            es: "Como máximo %1 caracteres"),
        .otherForm: Row(
            "The study asks for another form of answer here. Please look at the question again.",
            fr: "L’étude attend ici une autre forme de réponse. Veuillez relire la question.",
            de:
                "Die Studie erwartet hier eine andere Form der Antwort. Bitte lesen Sie die Frage noch einmal.",
            es: "El estudio espera aquí otra forma de respuesta. Por favor, lea de nuevo la pregunta."),
        .dateForm: Row(
            "Write year-month-day, such as 1987-03-25",
            fr: "Écrivez année-mois-jour, par exemple 1987-03-25",
            de: "Schreiben Sie Jahr-Monat-Tag, etwa 1987-03-25",
            es: "Escriba año-mes-día, por ejemplo 1987-03-25"),
        .noSuchDay: Row(
            "The calendar has no such day. Please look at the numbers again.",
            fr: "Ce jour n’existe pas dans le calendrier. Veuillez vérifier les nombres.",
            de: "Diesen Tag gibt es im Kalender nicht. Bitte prüfen Sie die Zahlen.",
            es: "Ese día no existe en el calendario. Por favor, revise los números."),
        .timeForm: Row(
            "Write hours:minutes from 00:00 to 23:59, such as 07:45",
            fr: "Écrivez heures:minutes de 00:00 à 23:59, par exemple 07:45",
            de: "Schreiben Sie Stunden:Minuten von 00:00 bis 23:59, etwa 07:45",
            es: "Escriba horas:minutos de 00:00 a 23:59, por ejemplo 07:45"),
    ]
}
