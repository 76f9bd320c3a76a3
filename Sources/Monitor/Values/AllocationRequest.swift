import Allocating
import MonitorInterface
import StudyModel
import TextFormat

/// What a run says when it asks for a participant's arm.
struct AllocationRequest: Hashable, Sendable {
    /// The design of the study that the run has.
    var design: AllocationDesign
    var participant: String
    /// The answers to the factors of the design.
    var levels: [String]

    /// - Throws: `Refusal` if the members are not those of a request for an arm.
    init(json: JSON) throws(Refusal) {
        var fields = try Fields(json, "a request for an arm")
        design = try Self.design(in: &fields)
        guard let participant = try fields.optionalParticipant("participant") else {
            throw .unprocessable("a request for an arm needs 'participant'")
        }
        self.participant = participant
        let given = try fields.list("levels", limit: 100)
        levels = given.compactMap(\.text).filter { $0.utf8.count <= MonitorLimits.textBytes }
        guard levels.count == given.count, levels.count == design.allocation.factors.count else {
            throw .unprocessable("'levels' should have a text for each factor of the design")
        }
        try fields.rejectUnknown()
    }

    /// The design in a request that asks for no arm, and the participant who will ask, if it names one.
    static func question(
        json: JSON
    ) throws(Refusal) -> (design: AllocationDesign, participant: String?) {
        var fields = try Fields(json, "a question about a ledger")
        let design = try design(in: &fields)
        let participant = try fields.optionalParticipant("participant")
        try fields.rejectUnknown()
        return (design, participant)
    }

    static func design(in fields: inout Fields) throws(Refusal) -> AllocationDesign {
        guard let design = fields.member("design").flatMap(AllocationDesign.init(json:)) else {
            throw .unprocessable(
                "'design' should be the design of an allocation, as in a ledger's first line")
        }
        return design
    }
}

/// What a run says when it has ended, if its participant was allocated.
struct AllocationEnding: Hashable, Sendable {
    var design: AllocationDesign
    var participant: String
    /// Whether the participant reached the end, or will go on another day.
    var isComplete: Bool

    /// - Throws: `Refusal` if the members are not those of an ending.
    init(json: JSON) throws(Refusal) {
        var fields = try Fields(json, "the end of a run")
        design = try AllocationRequest.design(in: &fields)
        guard let participant = try fields.optionalParticipant("participant"),
            let isComplete = fields.member("completed")?.boolean
        else { throw .unprocessable("the end of a run needs 'participant' and 'completed'") }
        (self.participant, self.isComplete) = (participant, isComplete)
        try fields.rejectUnknown()
    }
}
