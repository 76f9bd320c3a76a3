import Datasets
import Deidentifying
import Results
import TextFormat

/// The JSON files that describe the columns of a BIDS dataset.
enum BIDSSidecars {
    static let scanColumns = [
        "filename", "acq_time", "run_id", "status", "duration", "recovered", "clock_adjusted", "origin",
        "origin_note", "study", "revision", "study_sha256",
    ]

    static func description(_ studies: String, _ programs: [String], _ attribution: Attribution) -> JSON {
        var members: [String: JSON] = [
            "Name": .text("Runs of \(studies)"), "BIDSVersion": "1.11.1", "HEDVersion": "8.3.0",
            "DatasetType": "raw",
            "GeneratedBy": .list(
                programs.map { ["Name": "entrain", "Version": .text($0), "Description": "ran the study"] }),
        ]
        if !attribution.authors.isEmpty {
            members["Authors"] = .texts(attribution.authors)
        }
        if let licence = attribution.licence { members["License"] = .text(licence) }
        return .members(members)
    }

    private static let ends: [String: JSON] = [
        "completed": "the participant went through the task to its end",
        "discarded": "the participant left",
        "declined": "the participant did not agree to the consent document",
        "failed": "something outside the program failed, or the program was killed",
        "saved": "put aside for another day",
        "earlyTermination": "a signal or the operator ended it",
    ]

    /// - Parameter statuses: how the runs ended; a study may have ends of its own.
    static func scans(_ statuses: Set<String>) -> JSON {
        let own = statuses.map { ($0, JSON.text("the participant came to this end of the study")) }
        let levels = ends.merging(own) { known, _ in known }
        return .members(
            scanColumnsTold.merging([
                "status": ["Description": "How the run ended", "Levels": .members(levels)]
            ]) { $1 })
    }

    private static let scanColumnsTold: [String: JSON] = [
        "run_id": ["Description": "UUID of the run"],
        "duration": ["Description": "How long the run lasted", "Units": "s"],
        "recovered": ["Description": "Whether it was recovered after the program was killed"],
        "clock_adjusted": ["Description": "Whether the wall clock was changed during the run"],
        "origin": [
            "Description": "Whether the data come from a participant",
            "Levels": [
                "recorded": "a participant answered in real time, and every source was live",
                "replayed": "a recording stood in for a source",
                "simulated": "a program answered or simulated a signal, or the run was not in real time",
                "unknown": "the program that ran it does not say",
            ],
        ], "origin_note": column("Why", escapes: true),
        "study": ["Description": "The study"], "revision": ["Description": "The study's revision"],
        "study_sha256": [
            "Description": "SHA-256 of the study file: runs with different ones ran different texts"
        ],
    ]

    static func events(_ task: String, of study: String, program: String) -> JSON {
        [
            "TaskName": .text(task), "TaskDescription": .text("Task '\(task)' of the study '\(study)'"),
            "onset": ["Description": "When it began, since the run's start", "Units": "s"],
            "duration": ["Description": "How long it lasted", "Units": "s"],
            "trial_type": [
                "Description": "What happened",
                "Levels": .members(trialTypes.mapValues { .text($0.words) }),
                "HED": .members(trialTypes.mapValues { .text("(\($0.tags), {event_number})") }),
            ], "step_id": ["Description": "Identifiers of the blocks and the step, joined by '.'"],
            "visit": ["Description": "How often the step had been shown, from 1"],
            "round": ["Description": "Round of its block, from 1"],
            "stimulus": ["Description": "The clip"],
            "stim_file": ["Description": "Where the clip is below 'stimuli'"],
            "stim_id": ["Description": "The clip's name in 'stimuli/stimuli.tsv'"],
            "skip_reason": ["Description": "Why the step was left early"],
            "question": ["Description": "The question"],
            "response": column("The answer as text; several choices as a JSON list", escapes: true),
            "response_number": ["Description": "The answer as a number, if it is one"],
            "response_unit": column("The number's unit", escapes: true),
            "note": column("The clip's title, the gap's reason, or what went wrong", escapes: true),
            // Events of one moment have to differ: HED takes equal tags for one event that is told twice.
            "event_number": ["Description": "Place among the run's events, from 1", "HED": "ID/#"],
            "StimulusPresentation": [
                "OperatingSystem": "Linux", "SoftwareName": "entrain", "SoftwareVersion": .text(program),
                "Code": "n/a",
            ],
        ]
    }

    /// What can happen, in words and in tags of Hierarchical Event Descriptors (HED 8.3.0).
    private static let trialTypes: [String: (words: String, tags: String)] = [
        "step": ("a step was shown", "Sensory-event, Visual-presentation, Task-activity"),
        "stimulus": (
            "a clip was heard", "Sensory-event, Auditory-presentation, Experimental-stimulus"
        ),
        "stimulus_change": (
            "a clip was heard at this tempo and level, of those that changed: response_number is the tempo as a factor of its own",
            "Experiment-control, Auditory-presentation, Experimental-stimulus"
        ),
        "pause": ("the participant paused", "Agent-action, (Experiment-participant, Pause)"),
        "standstill": (
            "the program stood still: keys were read late, and nothing was recorded in time",
            "Data-feature, Data-artifact, Incidental"
        ),
        "gap": ("a recorder had no samples", "Data-feature, Data-break-marker"),
        "prompt": (
            "a question was asked while the step went on, until it was over",
            "Sensory-event, Visual-presentation, Cue, Questionnaire"
        ),
        "answer": ("a question was answered, or left", "Agent-action, Participant-response"),
        "reaction": (
            "from the onset to the key that answered: response is the answer, response_number the reaction time",
            "Agent-action, Participant-response, (Experiment-participant, Press)"
        ),
        "tap": (
            "a key was tapped: response is the key, response_number the time from the nearest beat",
            "Agent-action, Participant-response, (Experiment-participant, Press)"
        ),
        "cue": (
            "a tone, words or a bell was given because a condition held: note is its number among the step's cues",
            "Sensory-event, Auditory-presentation, Feedback"
        ),
        "display": (
            "a display of the heart or to breathe with showed this: response is value, unknown, lost or a part of a breath, response_number the number, note what was displayed",
            "Sensory-event, Visual-presentation, Feedback"
        ),
    ]

    static func everySecond(_ task: String) -> JSON {
        [
            "TaskName": .text(task), "SamplingFrequency": 1.0, "StartTime": 0.0, "PhysioType": "generic",
            "Columns": .texts(BIDSHeartRate.everySecondColumns),
            "timestamp": ["Description": "Time since the run's start", "Units": "s"],
            "heart_rate": [
                "Description": .text(
                    "Heart rate, on a straight line between received ones that are at most "
                        + "\(Int(BIDSHeartRate.widestGap)) s apart"), "Units": "1/min",
            ],
        ]
    }

    static func received(_ task: String) -> JSON {
        [
            "TaskName": .text(task), "OnsetSource": "timestamp",
            "Columns": .texts(BIDSHeartRate.receivedColumns),
            "Description": "Heart rates and intervals between beats as they were received",
            "onset": ["Description": "When it was measured, since the run's start", "Units": "s"],
            "duration": ["Description": "Not known", "Units": "s"],
            "heart_rate": ["Description": "Heart rate; each received one once", "Units": "1/min"],
            "rr": ["Description": "Time between the two last beats", "Units": "s"],
            "recorder": ["Description": "The recorder"],
        ]
    }

    static func column(_ description: String, escapes: Bool, unit: String? = nil) -> JSON {
        let how = escapes ? ". Escaped as the inside of a JSON string" : ""
        return .members(["Description": .text(description + how), "Units": unit.map { .text($0) }])
    }

    /// - Parameter origins: how many runs were made how.
    /// - Parameter texts: the texts of each study that were run.
    static func readme(
        _ studies: String, _ privacy: Privacy?, _ origins: [RunOrigin: Int], texts: [String: Set<String>]
    ) -> String {
        var text = """
            # Runs of \(studies)

            Runs of studies, exported by entrain from its result bundles.

            - `*_events.tsv`: steps, clips, pauses, gaps of recorders and answers.
            - `*_physioevents.tsv.gz`: every heart rate as it was received, with intervals between beats.
            - `*_physio.tsv.gz`: the heart rate at each whole second, and waveforms sample by sample.
            - `*_scans.tsv`: when each run began and how it ended.

            Times are seconds since the run's start. Texts are escaped as the inside of a JSON string: `\\n` is a line feed.

            """
        let invented = RunOrigin.allCases.filter(\.isInvented).compactMap { origin in
            origins[origin].map { "\($0) of the runs are \(origin.rawValue)" }
        }
        if !invented.isEmpty {
            text +=
                "\n\(invented.joined(separator: ", ")): the column `origin` of `*_scans.tsv` says which.\n"
        }
        for (study, texts) in texts.sorted(by: { $0.key < $1.key }) where texts.count > 1 {
            text +=
                "\n\(study) was run in \(texts.count) texts, each of which is a task of its own: the column `study_sha256` of "
                + "`*_scans.tsv` says which.\n"
        }
        if let privacy {
            text += "\nCodes are replaced by pseudonyms; typed texts and recorded voices are left out.\n"
            if privacy.shiftsDates {
                text +=
                    "Dates of each participant are moved, and stand four centuries earlier, as BIDS asks of such dates.\n"
            }
        }
        return text
    }
}
