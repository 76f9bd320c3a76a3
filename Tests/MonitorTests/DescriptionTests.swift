import HTTPTypes
import Testing
import TextFormat

@testable import Monitor

/// What `/openapi.json` says is what the routes say; `Browser` compares each request and answer of the other tests.
@Suite struct DescriptionTests {
    private static let described = RouteTests.known.filter { path, _ in
        path.hasPrefix("/api/") || path == "/addheartrate" || path == "/openapi.json"
    }

    @Test(arguments: described)
    func `a route is described with its methods and what they need`(path: String, route: Route) throws {
        let path = try #require(try Description.served.get().path(path))
        let methods = (path.value.object?.members ?? []).filter { $0.key != "parameters" }
        #expect(methods.map { $0.key.uppercased() } == route.methods.filter { $0 != "HEAD" })
        for method in methods {
            let scope = route.scope(posting: method.key == "post")
            let security: JSON? = scope.map { $0.needsTokenHere ? [["token": []]] : nil } ?? [[:]]
            #expect(method.value["security"] == security)
            let refusals = ["401", "403", "429"].filter { method.value["responses"]?[$0] != nil }
            #expect(refusals == (scope == nil ? ["403"] : ["401", "403", "429"]))
        }
    }

    @Test func `every path that is described is one of these`() throws {
        let description = try Description.served.get()
        #expect(
            Set(try Self.described.map { try #require(description.path($0.0)).key })
                == Set(description.paths.map(\.key)))
    }

    @Test func `a day with a run, a reading and notes is as it is described`() async throws {
        try await withMonitor { client in
            let now = 1_750_000_000
            let about =
                #"{"id": "run", "startedAt": \#(now), "participant": "P01", "task": "Rest", "limits": {"low": 50, "high": 150}}"#
            let events = [
                #"{"sequence": 1, "kind": "stepShown", "elapsed": 0, "step": "sit", "ordinal": 1}"#,
                #"{"sequence": 2, "kind": "marked", "elapsed": 1, "text": "coughed"}"#,
                #"{"sequence": 3, "kind": "source", "elapsed": 2, "source": "strap", "condition": {"battery": 80}}"#,
            ]
            let notes = [
                #"{"t": \#(now), "text": "late", "participant": "P01"}"#,
                #"{"t": \#(now), "kind": "meal", "carbohydrates": 40}"#,
                #"{"t": \#(now), "kind": "dose", "units": 5, "unit": "mg", "text": "insulin"}"#,
            ]
            for code in [201, 200] {
                #expect(try await client.post("/api/sessions", about).status.code == code)
                let all = #"{"events": [\#(events.joined(separator: ", "))]}"#
                #expect(try await client.post("/api/sessions/run/events", all).status.code == code)
                let rates = #"{"samples": [{"bpm": 72, "elapsed": 1}, {"bpm": 73, "elapsed": 2.5}]}"#
                let key: HTTPFields = [try #require(HTTPField.Name("Idempotency-Key")): "once"]
                #expect(
                    try await client.post("/api/sessions/run/heart-rate", rates, headers: key).status.code
                        == code)
            }
            for note in notes { #expect(try await client.post("/api/notes", note).status == .created) }
            for path in [
                "/api/days/\(now)", "/api/participants", "/api/sessions", "/api/sessions/run",
                "/api/finished", "/openapi.json",
            ] {
                #expect(try await client.get(path).status == .ok)
            }
        }
    }

    @Test(arguments: [
        (#"{"type": "integer", "minimum": 1}"#, "1", "0"), (#"{"enum": ["a"]}"#, #""a""#, #""b""#),
        (#"{"type": "array", "items": {"type": "string"}, "maxItems": 1}"#, #"["a"]"#, #"["a", "b"]"#),
        (#"{"type": "array", "items": {"type": "string"}}"#, "[]", "[1]"),
        (#"{"type": "object", "properties": {"a": {}}, "required": ["a"]}"#, #"{"a": 1}"#, "{}"),
        (#"{"type": "object", "properties": {"a": {}}}"#, #"{"a": 1}"#, #"{"b": 1}"#),
        (#"{"type": "object", "additionalProperties": {"type": "number"}}"#, #"{"b": 1.5}"#, #"{"b": "x"}"#),
        (#"{"oneOf": [{"type": "string"}, {"const": 2}]}"#, "2", "3"),
        (#"{"type": "string", "pattern": "^a+$"}"#, #""aa""#, #""ab""#),
        (##"{"$ref": "#/components/schemas/Error"}"##, #"{"error": "no"}"#, #"{"error": 1}"#),
    ])
    func `a value is compared with a schema`(schema: String, good: String, bad: String) throws {
        let description = try Description.served.get()
        #expect(try description.faults(json(good), json(schema)).isEmpty)
        #expect(try !description.faults(json(bad), json(schema)).isEmpty)
    }
}
