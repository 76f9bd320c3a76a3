/// What the program itself says to participants. The study's own texts come from the study.
///
/// The texts are in `Words`, a file for each language. `%1` and `%2` stand for what `Wording` puts there.
package enum Phrase: String, Hashable, Sendable, CaseIterable {
    // The effects of keys.
    case stepOf, keyReturn, keySpace, keyEscape, keyTab, keyNumbers, toGoOn, toBegin, toFinish, toConfirm
    case toAgree, toDecline, agreement, toReadOn, toScroll, toChoose, toTick, toNextQuestion, toPause,
        toResume, toSkip, toGoBack
    case toLeave, toPutAside, laterLetter, toStay, toAnswering, toDoThat, opensIn, unlock, toUnlock, toSend,
        sendLine, review,
        unanswered, questionOf, toChange, moreAbove, moreBelow
    // What is happening.
    case timeLeft, getReady, running, nothingToPress, goesOnByItself, paused, pausedForYou, timeUp,
        waitingFor, beginsWhenThere,
        experimenterSays
    case toIntervene, intervening, notDone
    case sourceLost, sourceLostSince, clipHeard, clipSilent, sourceBack
    case batteryLow, saving, saved, microphone, lineMicrophone, lineMicrophoneQuiet, heartRate
    case beatsPerMinute, noReading, expected, reallyLeave, yesLetter
    case overCompleted, overEnded, overDiscarded, overDeclined, overFailed, overSaved, overEarly, dataIn
    case dataNotSaved
    case wrongWord, noteTaken, cueBell, cueTone, notConnectedYet, waitCallExperimenter
    // Before the first step.
    case holdKey, heldKeyMeasured, heldKeyUnknown
    case warnNoRating, warnNoTaps, warnNoReaction
    case warning, warnNoSource, warnClip, warnNoSound, warnLatency, warnNoMicrophone, warnName,
        beginAllTheSame
    // Sound checks.
    case setVolume, setVolumeHow, measureVolume, measureVolumeHow, volumeHeard
    // A fingertip on a camera.
    case coverLens, signalQuality, percent, pulseSeen
    // Biofeedback.
    case breatheIn, breatheHold, breatheOut, variabilityOver, milliseconds, notKnownYet, noSignal, lineDisplay
    // Questions, and what to do if an answer does not fit.
    case ratingEnds, toRate, toTap, toReact, promptOver
    case optional, fullName, pleaseAnswer, pleaseChoose, pleaseWrite, writeNumber, numberBetween
    case numberAtLeast, numberAtMost, notANumber, wholeNumber, fewerDecimals, twoReadings, noSuchOption,
        tooLong
    case otherForm, notADay, notATime, dateForm, noSuchDay, timeForm, writeWholeNumber, notBefore, notAfter,
        fromTo,
        outsideLimits
    case atMostCharacters, oneCharacter, emptyLineEnds, pleaseSayWhat, onlyAlone, asItStands, toNewLine
    // Only in the presentation by lines.
    case noArm, lineTryAgain
    case lineGoOn, lineBegin, lineFinish, lineResume, lineChoice, lineChoices, lineOther, lineText
    case lineLeaveOut, lineKeep, lineSend, lineReview, lineCommands, lineHeartRate, lineNotOffered,
        lineUnlocked,
        wordBack,
        wordSkip
    case lineRate, lineRatePlane, lineNoRating, lineTap, lineNoTaps, lineReact, lineNoReaction
    // In the study's own texts.
    case noAnswer
    case wordPause, wordResume, wordQuit, wordHelp, wordYes, wordLater, wordNo
}
