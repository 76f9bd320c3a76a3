import Allocating
import Glibc
import HTTPTypes
import MonitorInterface
import StudyModel
import Testing
import TextFormat

@testable import Monitor

@Suite struct LedgerTests {
    private static let secret = [UInt8](0..<32)

    private static func design(_ study: Identifier = "calm") -> AllocationDesign {
        AllocationDesign(
            study: study, arms: [.init("music"), .init("quiet")],
            allocation: Allocation(
                .blocks([2]), by: ["sex"], commitment: AllocationDesign.commitment(to: secret)))
    }

    private static func ledger(_ study: Identifier = "calm") throws -> String {
        let path = scratchFolder() + "/ledger"
        try Ledger.create(at: path, for: design(study), secret: secret, time: "2026-11-23T12:00:00+0000")
        return path
    }

    private static func request(
        _ participant: String, _ design: AllocationDesign = design(), levels: JSON = ["female"]
    ) -> String {
        let body: JSON = ["design": design.json, "levels": levels, "participant": .text(participant)]
        return String(decoding: body.encoded(), as: UTF8.self)
    }

    private static func ending(_ participant: String) -> String {
        let body: JSON = ["completed": true, "design": design().json, "participant": .text(participant)]
        return String(decoding: body.encoded(), as: UTF8.self)
    }

    private static func configuration(_ folders: [String]) throws -> Monitor.Configuration {
        var configuration = Monitor.Configuration()
        configuration.ledgers = try Ledgers(folders: folders)
        return configuration
    }

    @Test func `gives a participant one arm, however often it is asked, and after it began anew`()
        async throws
    {
        let path = try Self.ledger()
        let store = try scratchStore()
        let fields: HTTPFields = [
            .authorization: "Bearer \(try store.createToken(named: "room-1", scopes: [.allocate], now: 0))"
        ]
        let other: HTTPFields = [
            .authorization: "Bearer \(try store.createToken(named: "room-2", scopes: [.allocate], now: 0))"
        ]
        for turn in 0..<2 {
            try await withMonitor(Self.configuration([path]), store: store) { client in
                for _ in 0..<3 {
                    let first = try await client.post(
                        "/api/allocations", Self.request("P01"), headers: fields)
                    #expect(first.status == .ok)
                    #expect(try first.json["slot"] == 1)
                }
                let early = try await client.post("/api/allocations", Self.request("P02"), headers: fields)
                #expect(early.status == (turn == 0 ? .conflict : .ok))
                let open = try await client.post(
                    "/api/allocations/check", Self.question("P02", Self.design()), headers: fields)
                #expect(try open.json["open"] == (turn == 0 ? ["P01"] : ["P02"]))
                for (who, status) in [(other, 409), (fields, 200)] {
                    let ended = try await client.post(
                        "/api/allocations/end", Self.ending("P01"), headers: who)
                    #expect(ended.status.code == status)
                }
                let second = try await client.post("/api/allocations", Self.request("P02"), headers: fields)
                #expect(try second.json["slot"] == 2)
            }
        }
        #expect(try Ledger(at: path).contents.endings.map(\.isComplete) == [true])
        let slots = try Ledger(at: path).contents.slots
        #expect(slots.map(\.participant) == ["P01", "P02"])
        #expect(Set(slots.map(\.arm)) == ["music", "quiet"])
    }

    @Test func `many who ask at once get a slot each`() async throws {
        let path = try Self.ledger()
        let store = try scratchStore()
        let tokens = try (0..<20).map {
            try store.createToken(named: "room-\($0)", scopes: [.allocate], now: 0)
        }
        try await withMonitor(Self.configuration([path]), store: store) { client in
            try await withThrowingTaskGroup { group in
                for number in 0..<40 {
                    group.addTask {
                        try await client.post(
                            "/api/allocations", Self.request("P\(number / 2)"),
                            headers: [.authorization: "Bearer \(tokens[number / 2])"]
                        ).status
                    }
                }
                for try await status in group { #expect(status == .ok) }
            }
        }
        #expect(try Ledger(at: path).contents.slots.count == 20)
    }

    @Test func `allows nothing without a token of its own, on this machine too`() async throws {
        let path = try Self.ledger()
        let store = try scratchStore()
        let ingest = try store.createToken(named: "phone", scopes: [.ingest], now: 0)
        let allocate = try store.createToken(named: "room-1", scopes: [.allocate], now: 0)
        try await withMonitor(Self.configuration([path]), store: store) { client in
            for place in ["/api/allocations", "/api/allocations/check", "/api/allocations/end"] {
                let open = try await client.post(place, Self.request("P01"))
                #expect(open.status == .unauthorized)
                let fields: HTTPFields = [.authorization: "Bearer \(ingest)"]
                let wrong = try await client.post(place, Self.request("P01"), headers: fields)
                #expect(wrong.status == .forbidden)
                let got = try await client.get(place)
                #expect(got.status == .methodNotAllowed)
            }
        }
        var shut = try Self.configuration([path])
        shut.exposure = Exposure(proxy: "127.0.0.1")
        try await withMonitor(shut, store: store) { client in
            let fields: HTTPFields = [.authorization: "Bearer \(allocate)"]
            let sent = try await client.post("/addheartrate", "90", headers: fields)
            #expect(sent.status == .forbidden)
            let read = try await client.get("/api/sessions", headers: fields)
            #expect(read.status == .forbidden)
        }
        #expect(try Ledger(at: path).contents.slots.isEmpty)
    }

    @Test func `refuses other studies, other designs and requests that make no sense`() async throws {
        let path = try Self.ledger()
        let store = try scratchStore()
        let fields: HTTPFields = [
            .authorization: "Bearer \(try store.createToken(named: "room-1", scopes: [.allocate], now: 0))"
        ]
        var changed = Self.design()
        changed.allocation.method = .blocks([4])
        var otherSecret = Self.design()
        otherSecret.allocation.commitment = AllocationDesign.commitment(to: [1])
        let cases: [(String, Int)] = [
            (Self.request("P01", Self.design("other")), 404), (Self.request("P01", changed), 409),
            (Self.request("P01", otherSecret), 409), (Self.request("P01", levels: []), 422),
            (Self.request("P01", levels: [1]), 422), (Self.request("\u{1}"), 422), (Self.request(""), 422),
            (Self.request("P01", levels: [.text(String(repeating: "x", count: 3000))]), 422),
            ("{}", 422), ("{", 400), (#"{"design":{},"levels":[],"participant":"P01"}"#, 422),
        ]
        try await withMonitor(Self.configuration([path]), store: store) { client in
            for (body, code) in cases {
                let answer = try await client.post("/api/allocations", body, headers: fields)
                #expect(answer.status.code == code, "\(body)")
                #expect(try answer.json["error"]?.text?.isEmpty == false)
            }
            let design = String(
                decoding: JSON.members(["design": Self.design().json]).encoded(), as: UTF8.self)
            let found = try await client.post("/api/allocations/check", design, headers: fields)
            #expect(try found.json == ["open": [], "study": "calm"])
            _ = try Ledger(at: path).reveal(at: "2026-11-23T13:00:00+0000")
            for (place, body) in [("", Self.request("P09")), ("/check", design)] {
                let late = try await client.post("/api/allocations" + place, body, headers: fields)
                #expect(late.status == .conflict && late.text.contains("revealed"))
            }
        }
        #expect(try Ledger(at: path).contents.slots.isEmpty)
    }

    @Test func `has one ledger for each study, and notices one that was replaced`() async throws {
        let (first, second) = (try Self.ledger(), try Self.ledger())
        #expect(throws: LedgerFailure.self) { try Ledgers(folders: [first, second]) }
        #expect(throws: LedgerFailure.self) { try Ledgers(folders: ["/nowhere"]) }
        _ = try Ledgers(folders: [first, Self.ledger("other")])
        let opened = try Ledger(at: first)
        var design = Self.design()
        design.allocation.method = .simple
        #expect(unsafe rename(first, first + "-away") == 0)
        try Ledger.create(at: first, for: design, secret: Self.secret, time: "2026-11-23T12:00:00+0000")
        #expect(throws: LedgerFailure.self) { try opened.assign("P01", ["female"], at: "") }
    }

    private static let list = Array("slot,arm\n1,quiet\n".utf8)

    private static let listed = AllocationDesign(
        study: "calm", arms: [.init("music"), .init("quiet")],
        allocation: Allocation(
            .list, commitment: AllocationDesign.commitment(to: secret, sealed: list)))

    private static func question(_ participant: String, _ design: AllocationDesign = listed) -> String {
        let body: JSON = ["design": design.json, "participant": .text(participant)]
        return String(decoding: body.encoded(), as: UTF8.self)
    }

    @Test func `a list that is used up is told at once, except to those who have an arm`() async throws {
        let path = scratchFolder() + "/ledger"
        try Ledger.create(
            at: path, for: Self.listed, secret: Self.secret,
            sealed: Self.list,
            time: "2026-11-23T12:00:00+0000")
        let store = try scratchStore()
        let fields: HTTPFields = [
            .authorization: "Bearer \(try store.createToken(named: "room-1", scopes: [.allocate], now: 0))"
        ]
        let ask = { @Sendable (participant: String) in
            Self.request(participant, Self.listed, levels: [])
        }
        try await withMonitor(Self.configuration([path]), store: store) { client in
            let fresh = try await client.post("/api/allocations/check", Self.question("P01"), headers: fields)
            #expect(fresh.status == .ok)
            for _ in 0..<2 {
                let given = try await client.post("/api/allocations", ask("P01"), headers: fields)
                #expect(try given.json["arm"] == "quiet")
            }
            let known = try await client.post("/api/allocations/check", Self.question("P01"), headers: fields)
            #expect(known.status == .ok)
            for (place, body) in [("/check", Self.question("P02")), ("", ask("P02"))] {
                let late = try await client.post("/api/allocations" + place, body, headers: fields)
                #expect(late.status == .conflict && late.text.contains("used up"), "\(late.text)")
            }
        }
        #expect(try Ledger(at: path).contents.slots.count == 1)
    }
}
