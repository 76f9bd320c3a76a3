import Datasets
import Hashing
import Results
import TextFormat

/// HL7 FHIR resources, one per line as in its bulk data: the participants, and an observation per heart rate.
final class FHIRExport: ExportWriter {
    static let name = "fhir"
    static let title = "FHIR"

    private let folder: ExportFolder
    private var patients: [String: String] = [:]
    private var order: [String] = []
    /// Participants with at least one run that was not simulated or replayed.
    private var real: Set<String> = []

    init(order: ExportOrder) { folder = order.folder }

    func write(_ run: ExportedRun, at index: Int, from bundle: ResultBundle) throws {
        let patient = patient(run.source.participant)
        if !run.source.origin.isInvented { real.insert(run.source.participant) }
        var observations: [UInt8] = []
        for step in run.steps {
            for recording in step.recordings {
                for (index, sample) in run.items(of: recording).heartRates.enumerated() {
                    let name = "\(step.ordinal) \(recording.name)"
                    let line = observation(
                        of: sample, id: PointIdentity.uuid(run.source.run, name, index), patient,
                        run.step(at: sample.runOffset, upTo: step), run)
                    observations += line.encoded() + [UInt8(ascii: "\n")]
                }
            }
        }
        try folder.append(observations, to: "Observation.ndjson")
    }

    func finish() throws {
        let lines = order.map { code -> JSON in
            var patient: [String: JSON] = [
                "resourceType": "Patient", "id": .text(patients[code, default: code]),
                "identifier": [["system": "urn:entrain:participant", "value": .text(code)]],
            ]
            if !real.contains(code) { patient["meta"] = Self.meta([:], .simulated) }
            return .members(patient)
        }
        try folder.write(lines.flatMap { $0.encoded() + [UInt8(ascii: "\n")] }, to: "Patient.ndjson")
    }

    /// Data that were not measured have FHIR's label for test data.
    private static func meta(_ members: [String: JSON], _ origin: RunOrigin) -> JSON {
        guard origin.isInvented else { return .members(members) }
        let label: JSON = [
            "system": "http://terminology.hl7.org/CodeSystem/v3-ActReason", "code": "HTEST",
            "display": "test health data",
        ]
        return .members(members.merging(["security": [label]]) { $1 })
    }

    /// A resource's name consists of letters, digits, `-` and `.`.
    private func patient(_ code: String) -> String {
        if let known = patients[code] { return known }
        let isPlain = code.utf8.count <= 64 && code.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        let id = isPlain ? code : "p-\(SHA256.hexadecimal(of: code).prefix(20))"
        patients[code] = id
        order.append(code)
        return id
    }

    private func observation(
        of sample: ResultBundle.HeartRate, id: String, _ patient: String, _ step: ResultBundle.Visit,
        _ run: ExportedRun
    ) -> JSON {
        let clip = step.clip.map { ", clip \($0.identifier)" } ?? ""
        let category: JSON = [
            "system": "http://terminology.hl7.org/CodeSystem/observation-category", "code": "vital-signs",
            "display": "Vital Signs",
        ]
        return [
            "resourceType": "Observation", "id": .text(id),
            "meta": Self.meta(
                ["profile": ["http://hl7.org/fhir/StructureDefinition/heartrate"]], run.source.origin),
            "status": "final", "category": [["coding": [category]]],
            "code": [
                "coding": [["system": "http://loinc.org", "code": "8867-4", "display": "Heart rate"]],
                "text": "Heart rate",
            ],
            "subject": ["reference": .text("Patient/\(patient)")],
            "effectiveDateTime": .text(run.time(sample.runOffset)),
            "valueQuantity": [
                "value": .real(sample.value), "unit": "beats/minute",
                "system": "http://unitsofmeasure.org", "code": "/min",
            ],
            "note": [
                [
                    "text": .text(
                        "study \(run.source.study), session \(run.source.session), run \(run.source.run), "
                            + "step \(step.path), visit \(step.visit)\(clip), source \(sample.source), \(run.source.originText)"
                    )
                ]
            ],
        ]
    }
}
