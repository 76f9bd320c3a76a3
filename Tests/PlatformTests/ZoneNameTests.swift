import Testing

@testable import Platform

@Suite struct ZoneNameTests {
    private func name(
        _ variable: String?, _ link: String? = nil, offset: Int = 3600, abbreviation: String = "CET"
    ) -> String {
        ZoneName.of(
            offset: offset, abbreviation: abbreviation, variable: variable, link: link,
            isKnown: ["Europe/Paris", "Asia/Kolkata", "Etc/UTC", "UTC", "CET"].contains)
    }

    @Test(
        arguments: [
            "Europe/Paris", ":Europe/Paris", "/usr/share/zoneinfo/Europe/Paris",
            ":/usr/share/zoneinfo/posix/Europe/Paris", "/etc/zoneinfo/right/Europe/Paris",
        ])
    func `is told by the variable, or by where the machine's own zone leads`(place: String) {
        #expect(name(place) == "Europe/Paris")
        #expect(name(nil, place) == "Europe/Paris")
        #expect(name("Asia/Kolkata", place, offset: 19_800) == "Asia/Kolkata")
    }

    @Test(arguments: [
        "CET-1CEST", "Nowhere/Land", "", ":", "/etc/localtime", "../../etc/passwd", "Europe/../UTC",
    ])
    func `is one with the same hours where nothing names it`(variable: String) {
        #expect(name(variable, "/usr/share/zoneinfo/Asia/Kolkata") == "Etc/GMT-1")
        #expect(name(variable, offset: -5 * 3600) == "Etc/GMT+5")
        #expect(name(variable, offset: 0) == "UTC")
    }

    @Test func `is the abbreviation where the database has no such hours`() {
        #expect(name(nil, offset: 20_700, abbreviation: "+0545") == "+0545")
        #expect(name("XXX-15", offset: 15 * 3600, abbreviation: "XXX") == "XXX")
    }
}
