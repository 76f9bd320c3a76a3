import Testing

@testable import Monitor

@Suite struct RouteTests {
    static let known: [(String, Route)] = [
        ("/", Route.live), ("/history", .history), ("/settings", .settings), ("/addheartrate", .addHeartRate),
        ("/openapi.json", .openAPI),
        ("/api/sessions", .sessions), ("/api/sessions/9E5C", .session("9E5C")),
        ("/api/sessions/a.b-c_d/heart-rate", .heartRate("a.b-c_d")), ("/api/sessions/x/events", .events("x")),
        ("/api/days/today", .today), ("/api/days/2026-11-21", .day("2026-11-21")), ("/api/notes", .notes),
        ("/api/allocations", .allocations), ("/api/allocations/check", .allocationCheck),
        ("/api/allocations/end", .allocationEnd),
        ("/api/sessions/x/heart-rate.csv", .sessionTable("x")),
        ("/api/days/2026-11-21/heart-rate.csv", .dayTable("2026-11-21")), ("/api/clock", .clock),
        ("/api/sessions/x/requests", .requests("x")),
        ("/api/sessions/x/requests/7", .request("x", 7)),
        ("/api/alarms", .alarms), ("/api/alarms/7", .alarm(7)),
        ("/api/sessions/x/alarms", .sessionAlarms("x")),
        ("/api/deletions", .deletions), ("/api/finished", .finished), ("/api/studies", .studies),
        ("/api/studies/calm", .study("calm")),
        ("/assets/0123/palette.js", .asset(hash: "0123", name: "palette.js")),
        ("/assets/0123/Browser/live.mjs", .asset(hash: "0123", name: "Browser/live.mjs")),
        ("/api/participants", .participants), ("/api/events", .stream), ("/api/notes/7", .note(7)),
        ("/api/sessions/x/alive", .alive("x")), ("/api/bundles", .bundles),
        ("/api/bundles/\(run)/\(sums)", .bundle(bundle)),
        ("/api/bundles/\(run)/\(sums)/file", .bundlePiece(bundle)),
        ("/api/bundles/\(run)/\(sums)/seal", .bundleSeal(bundle)),
    ]
    private static let run = "9E5C4C57-3F0A-4D53-9C3B-2F1A7A9D0C11"
    private static let sums = String(repeating: "0f", count: 32)
    private static let bundle = KeptBundles.Name(run: run, sums: sums)

    @Test(arguments: known)
    func `knows its paths`(path: String, route: Route) { #expect(Route(path) == route) }

    @Test(arguments: [
        "", "//", "/history/", "//history", "/../etc/passwd", "/assets/../live.mjs", "/assets/./live.mjs",
        "/assets/%2e%2e/live.mjs", "/assets/0/..%2f..%2fetc", "/assets/0/Browser/../live.mjs", "/assets/0",
        "/assets/0/Browser//live.mjs", "/assets/0/Browser/", "/api/sessions/", "/api/sessions/../x",
        "/api/sessions/é", "/api/sessions/x/requests/0", "/api/sessions/x/requests/07",
        "/api/deletions/1", "/api/finished/x", "/api/studies/x/y",
        "/api/alarms/0", "/api/alarms/x", "/api/alarms/7/x", "/api/sessions/x/alarms/7",
        "/api/sessions/x/requests/x", "/api/sessions/x/requests/7/8",
        "/api/sessions/a b", "/api/sessions/a\0b", "/API/sessions", "/api/sessions/x/events/y",
        "/addheartrate/",
        "/api/days/", "history", "/api//sessions", "/\\",
        "/api/sessions/\(String(repeating: "x", count: 65))",
    ])
    func `knows no others`(path: String) { #expect(Route(path) == nil) }
}
