import HTTPTypes
import Testing
import TextFormat

@testable import Monitor

@Suite struct PagesTests {
    private static let sources =
        [
            PackageResources.frame_html, PackageResources.live_html, PackageResources.history_html,
            PackageResources.settings_html, PackageResources.signin_html,
        ].map { String(decoding: $0, as: UTF8.self) }
        + PageAssets.modules.values.map { String(decoding: $0, as: UTF8.self) }

    /// The keys that stand after `start` in the pages and scripts, up to `end`.
    private static func keys(from start: String, to end: Character) -> Set<String> {
        Set(
            sources.flatMap { source in
                source.split(separator: start, omittingEmptySubsequences: false).dropFirst().map {
                    String($0.prefix { $0 != end })
                }
            })
    }

    @Test(arguments: Pages.words.files.keys.sorted())
    func `each language has the same words, with the same places to fill`(language: String) {
        let (texts, english) = (Pages.words.texts(in: language), Pages.words.texts(in: "en"))
        // A language may have more forms of a plural than English.
        let forms = ["_zero", "_two", "_few", "_many"]
        let keys = texts.keys.filter { key in !forms.contains { key.hasSuffix($0) } }
        #expect(Set(keys) == Set(english.keys))
        for (key, text) in texts {
            let other = english[key] ?? english[key.prefix { $0 != "_" } + "_other"] ?? ""
            let places = [text, other].map { text in (1...4).filter { text.contains("%\($0)") } }
            #expect(places[0] == places[1], "\(key)")
            #expect(!text.isEmpty, "\(key)")
        }
    }

    @Test func `the scripts say only words that there are`() {
        let said = Self.keys(from: "say(\"", to: "\"")
        #expect(said.count > 20)
        #expect(said.subtracting(Pages.words.texts(in: "en").keys) == [])
    }

    @Test(
        arguments: [
            (nil, "en"), ("", "en"), ("de", "de"), ("fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5", "fr"),
            ("nl", "en"), ("en-GB,de;q=0.5", "en"), ("de;q=0.1, es;q=0.9", "es"), ("nl, es;q=0.2", "es"),
            ("de;q=0", "en"), ("de;q=x", "en"), (";;,,q=1", "en"), ("*", "en"),
        ] as [(String?, String)])
    func `speaks the language that a browser likes best, or English`(accepted: String?, language: String) {
        #expect(Pages.language(accepted: accepted) == language)
    }

    @Test func `a page is in the language that was asked for`() async throws {
        try await withMonitor { client in
            #expect(try await client.get("/").text.contains("<html lang=\"en\">"))
            let page = try await client.get("/history", headers: [.acceptLanguage: "de-AT"]).text
            #expect(page.contains("<html lang=\"de\">") && page.contains("<title>Verlauf – Entrain</title>"))
            #expect(!page.contains("{{"))
        }
    }

    @Test func `each language has its words among the scripts of its pages`() async throws {
        try await withMonitor { client in
            for (language, word) in [("de", "Verlauf"), ("en", "History")] {
                let page = try await client.get("/history", headers: [.acceptLanguage: language]).text
                let path = try #require(Self.links(in: page).first { $0.hasSuffix("/words.mjs") })
                let words = try await client.get(path).text
                #expect(words.hasPrefix("export default {") && words.contains("\"history\":\"\(word)\""))
            }
        }
    }

    /// The paths that a page has for scripts and styles.
    private static func links(in page: String) -> [String] {
        page.split(separator: "\"").map(String.init).filter { $0.hasPrefix("/assets/") }
    }

    @Test(arguments: ["/", "/history", "/settings"])
    func `a page names all modules that it needs, of one version, so that they come at once`(
        path: String
    ) async throws {
        try await withMonitor { client in
            let links = Self.links(in: try await client.get(path).text)
            let modules = links.filter { $0.hasSuffix(".mjs") }
            // The one that the page begins with is both told beforehand and run.
            #expect(Set(modules).count == modules.count - 1)
            #expect(Set(links.map { $0.split(separator: "/")[1] }).count == 1)
            for module in modules {
                let text = try await client.get(module).text
                for line in text.split(separator: "\n")
                where line.hasPrefix("import ") || line.hasPrefix("} from ") {
                    guard let imported = line.split(separator: "\"").dropFirst().first else { continue }
                    let name = try #require(imported.split(separator: "/").last)
                    #expect(modules.contains { $0.hasSuffix("/" + name) }, "\(module): \(imported)")
                }
            }
        }
    }

    @Test func `what is kept of another version is not taken for this one`() {
        let one = PageAssets(words: ["live": "Live"], charts: [:])
        #expect(one.hash == PageAssets(words: ["live": "Live"], charts: [:]).hash)
        #expect(one.hash != PageAssets(words: ["live": "live"], charts: [:]).hash)
        let chart = PageAssets.Asset([1], "text/javascript")
        #expect(one.hash != PageAssets(words: ["live": "Live"], charts: ["dygraph.js": chart]).hash)
    }

    @Test func `follows imports from folder to folder`() {
        #expect(PageAssets.modules(from: "Computing/times.mjs") == ["Computing/times.mjs"])
        #expect(
            PageAssets.modules(from: "Computing/units.mjs") == [
                "Computing/units.mjs", "Computing/language.mjs",
            ])
        #expect(
            PageAssets.modules(from: "Browser/clock.mjs") == ["Browser/clock.mjs", "Computing/times.mjs"])
        #expect(PageAssets.modules(from: "Browser/page.mjs").contains("words.mjs"))
    }
}
