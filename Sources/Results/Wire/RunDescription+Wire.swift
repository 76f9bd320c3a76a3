extension RunDescription {
    /// The keys of the manifest and the journal whose values differ from those of another description.
    package func keys(differingFrom other: RunDescription) -> [String] {
        let members = [
            ("program", program == other.program), ("study", study == other.study),
            ("revision", revision == other.revision), ("studySHA256", studySHA256 == other.studySHA256),
            ("task", task == other.task), ("participant", participant == other.participant),
            ("session", session == other.session), ("arm", arm == other.arm),
            ("language", language == other.language),
            ("runUUID", runUUID == other.runUUID), ("start", wallClock == other.wallClock),
            ("speed", speed == other.speed), ("audio", audio == other.audio),
            ("provenance", provenance == other.provenance), ("repeat", repeatReason == other.repeatReason),
            ("meaningSHA256", meaningSHA256 == other.meaningSHA256),
            ("registrationSHA256", registrationSHA256 == other.registrationSHA256),
            ("deviation", deviation == other.deviation), ("continues", continues == other.continues),
            ("yokedTo", yokedTo == other.yokedTo), ("sessionName", sessionName == other.sessionName),
            ("sessionDay", sessionDay == other.sessionDay), ("gathering", gathering == other.gathering),
        ]
        return members.filter { !$0.1 }.map(\.0)
    }

    /// Those of the keys whose values a run has in common with the run that it continues, where they differ.
    package func inheritedKeys(differingFrom earlier: RunDescription) -> [String] {
        let inherited: Set = [
            "study", "revision", "studySHA256", "task", "participant", "session", "sessionName", "language",
            "start", "yokedTo",
        ]
        return keys(differingFrom: earlier).filter(inherited.contains)
    }
}
