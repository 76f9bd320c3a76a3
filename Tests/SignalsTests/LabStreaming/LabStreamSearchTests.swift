import StudyModel
import Testing

@testable import Signals

@Suite struct LabStreamSearchTests {
    private static func stream(
        _ name: String, _ source: String = "", on host: String = "lab-1", type: String = "HR",
        made: Int = 1
    ) -> LabStream {
        LabStream(
            name: name, type: type, source: source, host: host, instance: "\(name) \(source) \(host) \(made)")
    }

    private static func search(
        _ choice: LabStreamChoice = LabStreamChoice(), taken: LabStream? = nil
    ) -> LabStreamSearch {
        var search = LabStreamSearch(choice, types: ["HR"])
        search.taken = taken
        return search
    }

    @Test func `of several streams none is taken, and all are named`() {
        let all = [Self.stream("strap", "s1"), Self.stream("strap", on: "lab-2")]
        #expect(Self.search().verdict(on: [all[0]]) == .one(all[0]))
        guard case .none(let reason) = Self.search().verdict(on: all) else {
            Issue.record("one is taken")
            return
        }
        #expect(reason.contains("'strap' (source_id 's1', host 'lab-1')"))
        #expect(reason.contains("'strap' (source_id '', host 'lab-2')"))
        #expect(
            Self.search().verdict(on: []) == .none(because: "looking for a stream of type HR in the network"))
    }

    @Test(arguments: [
        (LabStreamChoice(stream: "strap", host: "LAB-2"), 1),
        (LabStreamChoice(stream: "s1"), 0),
        (LabStreamChoice(stream: "strap", sourceIdentifier: "s3"), 2),
        (LabStreamChoice(host: "lab-1"), 0),
    ])
    func `a study says more than a name`(choice: LabStreamChoice, place: Int) {
        let all = [
            Self.stream("strap", "s1"), Self.stream("strap", "s2", on: "lab-2"),
            Self.stream("strap", "s3", on: "lab-3"),
        ]
        #expect(Self.search(choice).verdict(on: all) == .one(all[place]))
    }

    @Test func `after a loss the same stream is taken again, and no other`() {
        let first = Self.stream("strap", "s1")
        let again = Self.stream("strap", "s1", on: "lab-9", made: 2)
        let other = Self.stream("strap", "s2")
        #expect(Self.search(taken: first).verdict(on: [other, again]) == .one(again))
        #expect(
            Self.search(taken: first).verdict(on: [other])
                == .none(
                    because: "'strap' (source_id 's2', host 'lab-1') is there instead of "
                        + "'strap' (source_id 's1', host 'lab-1'), which is waited for"))
        let plain = Self.stream("strap")
        let moved = Self.stream("strap", on: "lab-2")
        let made = Self.stream("strap", made: 2)
        #expect(Self.search(taken: plain).verdict(on: [moved, made]) == .one(made))
        guard case .none = Self.search(taken: plain).verdict(on: [moved]) else {
            Issue.record("a stream of another host is taken")
            return
        }
    }

    @Test func `intervals belong to the same device`() {
        let rates = Self.stream("HR a")
        let own = Self.stream("RR a", type: "RR")
        let far = Self.stream("RR a", on: "lab-2", type: "RR")
        let other = Self.stream("RR b", type: "RR")
        #expect(LabStreamSearch.partner(of: rates, among: [rates, other, far, own]) == own)
        #expect(LabStreamSearch.partner(of: rates, among: [rates, other, far]) == nil)
        let strap = Self.stream("strap", "s1")
        let beats = Self.stream("beats", "s1", type: "RR")
        #expect(LabStreamSearch.partner(of: strap, among: [strap, other, beats]) == beats)
        #expect(LabStreamSearch.partner(of: strap, among: [strap, other]) == other)
        #expect(LabStreamSearch.partner(of: strap, among: [strap, rates, other]) == nil)
    }
}

@Suite struct WebHostTests {
    @Test(arguments: [
        ("http://127.0.0.1:8080/heart", "127.0.0.1"),
        ("https://user:word@example.org?since=1", "example.org"),
        ("http://[::1]:80/a@b", "[::1]"), ("http://:80", nil),
    ])
    func `a server's host is known by its address`(url: String, host: String?) {
        #expect(SourceConfiguration.host(in: url) == host)
    }
}
