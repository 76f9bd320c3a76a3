package import StudyModel
package import TextFormat

extension AlarmRule {
    /// As a run tells it to a monitor: `{"kind": "above", "limit": 170, "for": 10}`, in beats per minute and seconds.
    package var json: JSON {
        var object = JSON.Object(["kind": .text(kind.rawValue)])
        object["limit"] = limit.map(JSON.real)
        object["for"] = duration.map { .real($0.seconds) }
        return .object(object)
    }

    /// - Returns: `nil` if it is no such rule, or has other members.
    package init?(json: JSON) {
        guard let members = json.object?.members.map(\.key),
            Set(members).isSubset(of: ["kind", "limit", "for"]),
            let kind = json["kind"]?.text.flatMap(Kind.init)
        else { return nil }
        let seconds = json["for"]?.number.flatMap { (0...86_400).contains($0) ? $0 : nil }
        self.init(kind, limit: json["limit"]?.number, for: seconds.map { .seconds($0) })
    }
}
