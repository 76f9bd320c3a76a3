import HTTPTypes
import MonitorInterface
import Results
import StudyModel
import Testing
import TextFormat

@testable import Monitor

/// Bundles that were delivered, of runs that the monitor never watched or that were killed.
@Suite struct UnwatchedBundlesTests {
    private static let runs = ["9E5C4C57", "11111111", "22222222", "33333333"].map {
        "\($0)-3F0A-4D53-9C3B-2F1A7A9D0C11"
    }

    /// Begins to deliver a bundle: so many of its files come.
    private func begin(_ bundle: SealedBundle, files: Int, by browser: Browser) async throws {
        for (file, bytes) in bundle.sent.prefix(files) {
            let answer = try await browser.ask(
                .post, "\(bundle.address)/file?path=\(file)&offset=0", bytes)
            #expect(answer.status == .ok)
        }
    }

    @Test func `a run that was never watched is deleted by its bundle, and is not taken again`() async throws
    {
        let store = try scratchStore()
        let own: HTTPFields = [
            .authorization: "Bearer \(try store.createToken(named: "kim", scopes: [.delete], now: 0))"
        ]
        let (mine, other) = (try SealedBundle(run: Self.runs[0]), try SealedBundle(run: Self.runs[1]))
        try await withMonitor(store: store) { browser in
            for bundle in [mine, other] {
                #expect(try await deliver(bundle, by: browser).status == .created)
            }
            let body = #"{"session":"\#(mine.run)","reason":"a trial","confirmed":true}"#
            let asked = try await browser.post(
                "/api/deletions", #"{"session":"\#(mine.run)"}"#, headers: own)
            #expect(
                try asked.json == [
                    "bundles": 1, "deleted": false, "events": 0, "notes": 0, "readings": 0, "series": 0,
                    "untoldBundles": 0,
                ])
            let done = try await browser.post("/api/deletions", body, headers: own)
            #expect(try done.json["deleted"] == true && done.json["bundles"] == 1)
            let left = try await browser.get("/api/bundles").json["bundles"]?.list
            #expect(left?.map { $0["run"] } == [.text(other.run)])
            let trace = try #require(
                try await browser.get("/api/deletions").json["deletions"]?.list?.first)
            #expect(trace["of"] == "run" && trace["session"] == .text(mine.run))
            #expect(trace["participant"] == "P01" && trace["author"] == "kim" && trace["bundles"] == 1)
            #expect(trace["startedAt"]?.number ?? 0 > 1e9)
            #expect(try await browser.get(mine.address).status == .conflict)
            #expect(try await browser.ask(.post, mine.address + "/seal").status == .conflict)
            #expect(try await browser.post("/api/deletions", body, headers: own).status == .notFound)
        }
    }

    @Test
    func
        `everything of a participant takes bundles along, watched or not, and names those that hide whose they are`()
        async throws
    {
        let store = try scratchStore()
        let own: HTTPFields = [
            .authorization: "Bearer \(try store.createToken(named: "kim", scopes: [.delete], now: 0))"
        ]
        let whole = try SealedBundle(run: Self.runs[0], participant: "P07")
        let other = try SealedBundle(run: Self.runs[1], participant: "P070")
        let told = try SealedBundle(run: Self.runs[2], participant: "P07")
        let untold = try SealedBundle(run: Self.runs[3], participant: "P07")
        let progress =
            #"{"date":1700000000,"participants":2,"completed":1,"incomplete":0,"excluded":0,"#
            + #""poor":0,"toCome":[{"participant":"P07","session":"b","state":"due","when":"x"},"#
            + #"{"participant":"P070","session":"b","state":"due","when":"x"}]}"#
        try await withMonitor(store: store) { browser in
            for bundle in [whole, other] { _ = try await deliver(bundle, by: browser) }
            try await begin(told, files: 2, by: browser)
            try await begin(untold, files: 1, by: browser)
            #expect(try await browser.post("/api/studies/calm", progress).status == .ok)
            let asked = try await browser.post(
                "/api/deletions", #"{"participant":"P07"}"#, headers: own)
            #expect(try asked.json["bundles"] == 2 && asked.json["untoldBundles"] == 1)
            #expect(try asked.json["series"] == 0)
            let done = try await browser.post(
                "/api/deletions", #"{"participant":"P07","reason":"asked","confirmed":true}"#, headers: own)
            #expect(done.status == .ok, "\(done.text)")
            let list = try await browser.get("/api/bundles").json
            #expect(list["bundles"]?.list?.map { $0["participant"] } == ["P070"] && list["arriving"] == 1)
            for bundle in [whole, told] {
                #expect(try await browser.get(bundle.address).status == .conflict)
            }
            let trace = try #require(
                try await browser.get("/api/deletions").json["deletions"]?.list?.first)
            #expect(trace["what"] == "participant" && trace["bundles"] == 2)
            #expect(trace["participant"] == nil && trace["session"] == nil)
            let studies = try await browser.get("/api/studies").json["studies"]?.list
            #expect(studies?.first?["toCome"]?.list?.map { $0["participant"] } == ["P070"])
            // The next session has a number that no deleted one had.
            #expect(
                try await browser.post("/addheartrate", "60", headers: [.contentType: "text/plain"]).status
                    == .noContent)
        }
    }

    @Test func `a withdrawal keeps bundles of runs that were never watched from coming again`() async throws {
        let store = try scratchStore()
        let mine = try SealedBundle(run: Self.runs[0])
        try await withMonitor(store: store) { browser in
            _ = try await deliver(mine, by: browser)
            let kept = KeptBundles(of: store)
            let erasure = try store.erase(
                participant: "P01", bundles: kept.bundles(of: "P01"), now: 1_700_000_000)
            try kept.erase(participant: "P01")
            #expect(erasure == Erasure(extent: Extent(), mentions: 0))
            #expect(try await browser.get(mine.address).status == .conflict)
            #expect(try await browser.get("/api/bundles").json["bundles"] == [])
        }
    }

    @Test func `a killed run has the end and the quality of the bundle that came later`() async throws {
        let store = try scratchStore()
        let bundle = try SealedBundle(run: Self.runs[0])
        let begun = #"{"id":"\#(bundle.run)","startedAt":1700000000,"participant":"P01"}"#
        try await withMonitor(store: store) { browser in
            #expect(try await browser.post("/api/sessions", begun).status == .created)
            _ = try await browser.post("/api/sessions/\(bundle.run)/alive", "")
            let before = try await browser.get("/api/finished").json["sessions"]?.list?.first
            #expect(before?["quality"] == nil && before?["isFromBundle"] == nil)
            _ = try await deliver(bundle, by: browser)
            // What is the case does not depend on how long ago the last sign of life was.
            let told = try await KeptBundles(of: store).completing(
                [
                    "sessions": [
                        ["id": .text(bundle.run), "kind": "run", "state": "lost"],
                        ["id": "x", "kind": "run"],
                    ]
                ])
            let sessions = try #require(told["sessions"]?.list)
            let kept = try ResultBundle(at: "\(store.folder)/bundles/\(bundle.run)")
            #expect(sessions[0]["state"] == "over" && sessions[0]["isFromBundle"] == true)
            #expect(sessions[0]["outcome"] == .text(kept.manifest.status.rawValue))
            #expect(sessions[0]["quality"] == .members(RunQuality(of: kept.visits).members))
            #expect(sessions[1] == ["id": "x", "kind": "run"])
        }
    }

    @Test func `what a run said of itself stays as it was`() async throws {
        let store = try scratchStore()
        let said: JSON = [
            "sessions": [["id": .text(Self.runs[0]), "kind": "run", "quality": ["pauses": 3]]]
        ]
        try await withMonitor(store: store) { browser in
            _ = try await deliver(try SealedBundle(run: Self.runs[0]), by: browser)
            #expect(try await KeptBundles(of: store).completing(said) == said)
        }
    }
}
