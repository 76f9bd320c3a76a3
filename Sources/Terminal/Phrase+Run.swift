extension Phrase {
    /// What is going on.
    static let runWords: [Phrase: Row] = [
        .timeLeft: Row("Time left", fr: "Temps restant", de: "Verbleibende Zeit", es: "Tiempo restante"),
        .getReady: Row("Get ready", fr: "Préparez-vous", de: "Gleich geht es los", es: "Prepárese"),
        .running: Row("In progress", fr: "En cours", de: "Läuft", es: "En curso"),
        .paused: Row(
            "Paused. Take the time you need.",
            fr: "En pause. Prenez votre temps.",
            de: "Pause. Nehmen Sie sich Zeit.",
            es: "En pausa. Tómese su tiempo."),
        .timeUp: Row(
            "The time is up.",
            fr: "Le temps est écoulé.",
            de: "Die Zeit ist um.",
            es: "Se acabó el tiempo."),
        .waitingFor: Row(
            "%1: no signal yet",
            fr: "%1\u{A0}: pas encore de signal",
            de: "%1: noch kein Signal",
            es: "%1: aún sin señal"),
        .beginsWhenThere: Row(
            "It begins by itself as soon as the signal is there.",
            fr: "Cela commencera tout seul dès que le signal sera là.",
            de: "Es beginnt von selbst, sobald das Signal da ist.",
            es: "Empezará por sí solo en cuanto llegue la señal."),
        .sourceLost: Row(
            "%1: no signal",
            fr: "%1\u{A0}: pas de signal",
            de: "%1: kein Signal",
            es: "%1: sin señal"),
        .sourceBack: Row(
            "%1: the signal is back",
            fr: "%1\u{A0}: le signal est revenu",
            de: "%1: das Signal ist wieder da",
            es: "%1: ha vuelto la señal"),
        .batteryLow: Row(
            "%1: the battery is low (%2 %)",
            fr: "%1\u{A0}: la batterie est faible (%2\u{A0}%)",
            de: "%1: die Batterie ist schwach (%2\u{A0}%)",
            es: "%1: queda poca batería (%2\u{A0}%)"),
        .saving: Row(
            "Saving. One moment, please.",
            fr: "Enregistrement. Un instant, s’il vous plaît.",
            de: "Wird gespeichert. Einen Moment, bitte.",
            es: "Guardando. Un momento, por favor."),
        .saved: Row("Saved: %1", fr: "Enregistré\u{A0}: %1", de: "Gespeichert: %1", es: "Guardado: %1"),
        .microphone: Row("Microphone", fr: "Microphone", de: "Mikrofon", es: "Micrófono"),
        .lineMicrophone: Row(
            "The microphone is on.",
            fr: "Le microphone est allumé.",
            de: "Das Mikrofon ist an.",
            es: "El micrófono está encendido."),
        .lineMicrophoneQuiet: Row(
            "The microphone is on, and it is silent.",
            fr: "Le microphone est allumé, et tout est silencieux.",
            de: "Das Mikrofon ist an, und es ist still.",
            es: "El micrófono está encendido y no se oye nada."),
        .heartRate: Row(
            "Heart rate",
            fr: "Fréquence cardiaque",
            de: "Herzfrequenz",
            es: "Frecuencia cardíaca"),
        .beatsPerMinute: Row(
            "beats per minute",
            fr: "battements par minute",
            de: "Schläge pro Minute",
            es: "latidos por minuto"),
        .noReading: Row(
            "no reading yet",
            fr: "pas encore de mesure",
            de: "noch kein Messwert",
            es: "aún sin lectura"),
        .expected: Row(
            "Expected: %1 to %2",
            fr: "Attendu\u{A0}: %1 à %2",
            de: "Erwartet: %1 bis %2",
            es: "Esperado: de %1 a %2"),
        .reallyLeave: Row(
            "Really leave? Your data so far are kept.",
            fr: "Vraiment quitter\u{A0}? Vos données recueillies jusqu’ici sont conservées.",
            de: "Wirklich verlassen? Ihre bisherigen Daten bleiben erhalten.",
            es: "¿Salir de verdad? Sus datos hasta ahora se conservan."),
        .yesLetter: Row("y", fr: "o", de: "j", es: "s"),
        .overCompleted: Row(
            "You have finished. Thank you!",
            fr: "Vous avez terminé. Merci\u{A0}!",
            de: "Sie sind fertig. Vielen Dank!",
            es: "Ha terminado. ¡Gracias!"),
        .overDiscarded: Row(
            "You have left the study. Thank you for your time.",
            fr: "Vous avez quitté l’étude. Merci pour votre temps.",
            de: "Sie haben die Studie verlassen. Danke für Ihre Zeit.",
            es: "Ha salido del estudio. Gracias por su tiempo."),
        .overFailed: Row(
            "Something went wrong, and it was not your fault. The session has ended.",
            fr: "Un problème est survenu, et vous n’y êtes pour rien. La séance est terminée.",
            de: "Etwas ist schiefgegangen; Sie trifft keine Schuld. Die Sitzung ist beendet.",
            es: "Algo ha fallado, y no ha sido culpa suya. La sesión ha terminado."),
        .overSaved: Row(
            "This session is put aside for another day.",
            fr: "Cette séance est mise de côté pour un autre jour.",
            de: "Diese Sitzung wird an einem anderen Tag fortgesetzt.",
            es: "Esta sesión queda pendiente para otro día."),
        .overEarly: Row(
            "The session was ended early.",
            fr: "La séance a été interrompue.",
            de: "Die Sitzung wurde vorzeitig beendet.",
            es: "La sesión se terminó antes de tiempo."),
        .dataIn: Row(
            "Your data are saved in %1",
            fr: "Vos données sont enregistrées dans %1",
            de: "Ihre Daten sind gespeichert in %1",
            es: "Sus datos están guardados en %1"),
        .dataNotSaved: Row(
            "Your data could not be saved.",
            fr: "Vos données n’ont pas pu être enregistrées.",
            de: "Ihre Daten konnten nicht gespeichert werden.",
            es: "No se pudieron guardar sus datos."),
    ]
}
