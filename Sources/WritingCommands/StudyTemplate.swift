import StudyModel

/// The study that `entrain init` writes.
enum StudyTemplate {
    /// - Parameter name: the study's identifier.
    /// - Returns: `nil` if `name` is not an identifier.
    static func text(named name: String) -> String? {
        guard let identifier = Identifier(name) else { return nil }
        return """
            # yaml-language-server: $schema=./study.schema.json
            # Editors that know YAML complete and check this file with: entrain schema > study.schema.json
            entrain: 1
            study:
              identifier: \(identifier)
              revision: 1                  # add one whenever you change the study
              title: My study
              seed: 1                      # the same seed and participant give the same draws

            sources:
              heartRate: {type: simulated} # replace at the session: entrain run … --source heartRate=…

            tasks:
              - identifier: session
                steps:
                  - type: instruction
                    identifier: welcome
                    title: Welcome
                    text: Please sit comfortably. We will record your heart rate for one minute.

                  - type: active
                    identifier: rest
                    title: Please rest.
                    duration: 60 s         # ms, s or min
                    recorders:
                      - {type: heartRate, identifier: heartRate, unit: count/min}

                  - type: question
                    identifier: calm
                    title: How calm did you feel?
                    answer: {scale: {from: 1, to: 9, fromLabel: not at all, toLabel: very}}

                  - type: completion
                    identifier: thanks
                    title: Thank you!
                    text: You may take off the strap now.

            """
    }
}
