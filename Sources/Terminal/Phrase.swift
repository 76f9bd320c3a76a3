/// What the program itself says to participants; what the study says comes from the study.
///
/// `%1` and `%2` stand for what `Wording` puts there.
package enum Phrase: Hashable, Sendable, CaseIterable {
    case stepOf, keyReturn, keySpace, keyEscape, keyTab, keyNumbers, toGoOn, toBegin, toFinish, toConfirm
    case toAgree, toReadOn, toScroll, toChoose, toTick, toNextQuestion, toPause, toResume, toSkip, toGoBack
    case toLeave, toStay, toTyping, moreBelow
    case timeLeft, getReady, running, paused, timeUp, waitingFor, beginsWhenThere, sourceLost, sourceBack
    case batteryLow
    case saving, saved, microphone, lineMicrophone, lineMicrophoneQuiet, heartRate, beatsPerMinute, noReading,
        expected, reallyLeave, yesLetter
    case overCompleted, overDiscarded, overFailed, overSaved, overEarly, dataIn, dataNotSaved
    case coverLens, signalQuality, percent, pulseSeen
    case optional, fullName, pleaseAnswer, pleaseChoose, pleaseWrite, pleaseName, writeNumber, numberBetween
    case numberAtLeast, numberAtMost, tooLong, otherForm, dateForm, noSuchDay, timeForm
    case lineGoOn, lineBegin, lineFinish, lineResume, lineChoice, lineChoices, lineText, lineAgree, lineSign
    case lineLeaveOut, lineCommands, lineQuotes, lineHeartRate, lineNotOffered, wordBack, wordSkip
    case wordPause, wordResume, wordQuit, wordHelp, wordYes, wordNo

    /// The words in each language.
    var row: Row {
        guard let row = Self.table[self] else { preconditionFailure("no words for \(self)") }
        return row
    }

    /// One phrase in every language.
    struct Row: Hashable, Sendable {
        var english: String
        var french: String
        var german: String
        var spanish: String

        init(_ english: String, fr french: String, de german: String, es spanish: String) {
            self.english = english
            self.french = french
            self.german = german
            self.spanish = spanish
        }
    }

    /// All phrases; that none is missing is tested.
    private static let table = keyWords.merging(runWords) { first, _ in first }
        .merging(pulseWords) { first, _ in first }
        .merging(answerWords) { first, _ in first }.merging(lineWords) { first, _ in first }
}
