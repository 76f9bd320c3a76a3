extension Phrase {
    /// A fingertip on a camera.
    static let pulseWords: [Phrase: Row] = [
        .coverLens: Row(
            "Cover the lens with your fingertip, and keep still.",
            fr: "Couvrez l’objectif du bout du doigt et ne bougez plus.",
            de: "Bedecken Sie die Linse mit der Fingerkuppe und halten Sie still.",
            es: "Cubra la lente con la yema del dedo y no se mueva."),
        .signalQuality: Row(
            "Signal quality", fr: "Qualité du signal", de: "Signalqualität", es: "Calidad de la señal"),
        .percent: Row("%1 %", fr: "%1\u{A0}%", de: "%1\u{A0}%", es: "%1\u{A0}%"),
        .pulseSeen: Row(
            "Your pulse is seen well.",
            fr: "Votre pouls est bien visible.",
            de: "Ihr Puls ist gut zu sehen.",
            es: "Su pulso se ve bien."),
    ]
}
