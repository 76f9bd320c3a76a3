import HTTPTypes
import Hummingbird
import MonitorInterface
import NIOCore
import Platform
import Results
import TextFormat

/// The pages and their assets, ready to be sent.
struct Pages: Sendable {
    /// The policy allows only content from here, and no script or style within a page.
    static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
        base-uri 'none'; form-action 'self'; frame-ancestors 'none'
        """

    enum Page: String, Hashable, Sendable, CaseIterable { case live, history, settings, signIn, wrongToken }

    /// The languages of the pages.
    static let words = Words([
        "de": { PackageResources.de_json },
        "en": { PackageResources.en_json },
        "es": { PackageResources.es_json },
        "fr": { PackageResources.fr_json },
    ])

    /// The assets of each language, by their hash.
    private let assets: [String: PageAssets]
    /// Each page in each language.
    private let pages: [Page: [String: ByteBuffer]]
    private let openAPI: ByteBuffer

    /// - Parameter charts: the folder of dygraphs. If it is missing, pages say how to install it.
    init(charts: String = PageAssets.chartFolder) {
        let charts = PageAssets.charts(in: charts)
        var assets: [String: PageAssets] = [:]
        var pages: [Page: [String: ByteBuffer]] = [:]
        for language in Self.words.files.keys {
            let texts = Self.words.texts(in: language)
            let own = PageAssets(words: texts, charts: charts)
            assets[own.hash] = own
            for page in Page.allCases {
                let text = Self.filled(
                    page.template(hasCharts: !charts.isEmpty),
                    with: Self.values(of: page, in: language, texts: texts, assets: own))
                pages[page, default: [:]][language] = ByteBuffer(string: text)
            }
        }
        self.assets = assets
        self.pages = pages
        openAPI = ByteBuffer(bytes: PackageResources.openapi_json)
    }

    /// What stands in a page in place of each `{{key}}`.
    private static func values(
        of page: Page, in language: String, texts: [String: String], assets: PageAssets
    ) -> [String: String] {
        // Scripts put another unit there for those who have chosen one.
        let units = (texts["unit_bpm"] ?? "", texts["unitShort_bpm"] ?? "")
        var values = texts.mapValues { $0.replacing("%u", with: units.0).replacing("%U", with: units.1) }
        let paths = assets.paths
        values.merge(paths) { $1 }
        values["language"] = language
        // These are filled in for each request.
        for key in ["to", "account", "controls", "deleting"] { values[key] = "{{\(key)}}" }
        let notice = values["wrongToken"] ?? ""
        values["notice"] =
            page == .wrongToken ? "<p class=\"notice\" role=\"alert\">\(notice)</p>" : ""
        values["title"] = values[page.rawValue]
        if let module = page.module {
            values["script"] = paths[module]
            // All at once, and not each when another one has come that imports it.
            values["preloads"] = PageAssets.modules(from: module).sorted().map {
                "<link rel=\"modulepreload\" href=\"\(paths[$0] ?? "")\">"
            }.joined(separator: "\n")
        }
        for other in Page.allCases {
            values["at \(other.rawValue)"] = page == other ? " aria-current=\"page\"" : ""
        }
        return values
    }

    /// - Parameters:
    ///   - languages: the languages that the browser accepts, from `Accept-Language`.
    ///   - reader: the accepted token; `nil` if none was needed.
    func page(_ page: Page, languages: String?, reader: Token? = nil) -> Response {
        let language = Self.language(accepted: languages)
        let text = pages[page]?[language].map { String(buffer: $0) } ?? ""
        let account = reader.map { Self.account(of: $0.name, in: language) } ?? ""
        let controls = reader?.permits(.control) == true ? "" : " hidden"
        let deleting = reader?.permits(.delete) == true ? "" : " hidden"
        return Response(
            .ok,
            ByteBuffer(
                string: text.replacing("{{account}}", with: account)
                    .replacing("{{controls}}", with: controls)
                    .replacing("{{deleting}}", with: deleting)),
            type: "text/html; charset=utf-8", cache: "no-store")
    }

    /// Who is signed in, with a button to sign out.
    private static func account(of reader: String, in language: String) -> String {
        let words = words.texts(in: language)
        let name = (words["signedInAs"] ?? "%1").replacing("%1", with: XMLText.escaped(reader))
        return """
            <form method="post" action="/sign-out" class="account"><span>\(name)</span>
            <button type="submit">\(words["signOut"] ?? "")</button></form>
            """
    }

    /// The page that asks for a token.
    ///
    /// - Parameters:
    ///   - address: the path and query to return to.
    ///   - isWrong: whether an invalid token was given.
    func signIn(
        languages: String?, status: HTTPResponse.Status = .ok, to address: String, isWrong: Bool = false
    ) -> Response {
        let page = pages[isWrong ? .wrongToken : .signIn]?[Self.language(accepted: languages)]
        let text = page.map { String(buffer: $0) } ?? ""
        let query = Self.isOwnAddress(address) && address != "/" ? "?to=" + address.percentEncoded : ""
        return Response(
            status, ByteBuffer(string: text.replacing("{{to}}", with: query)),
            type: "text/html; charset=utf-8",
            cache: "no-store")
    }

    /// Whether an address is a page of this monitor, possibly with a query, so that it cannot lead to another site.
    static func isOwnAddress(_ address: String) -> Bool {
        let route = Route(String(address.prefix { $0 != "?" }))
        return [.live, .history, .settings].contains(route)
            && address.utf8.allSatisfy { 0x21...0x7e ~= $0 && !"\"'<>\\#".utf8.contains($0) }
    }

    /// The browser's preferred language among those of the pages; English if there is none.
    static func language(accepted: String?) -> String {
        var best: (language: String, quality: Double) = ("en", 0)
        for choice in (accepted ?? "").split(separator: ",") {
            let parts = choice.split(separator: ";").map { $0.filter { $0 != " " } }
            let quality =
                parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            guard let language = parts.first.flatMap({ words.language(for: $0) }), quality > best.quality
            else { continue }
            best = (language, quality)
        }
        return best.language
    }

    func asset(_ name: String, hash: String) throws(Refusal) -> Response {
        guard let asset = assets[hash]?[name] else { throw .notFound("nothing is here") }
        return Response(.ok, asset.bytes, type: asset.type, cache: "public, max-age=31536000, immutable")
    }

    var description: Response { Response(.ok, openAPI, type: "application/json", cache: "no-cache") }

    /// The text with the values of `{{key}}`.
    private static func filled(_ template: String, with values: [String: String]) -> String {
        let parts = template.split(separator: "{{", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(into: String(parts[0])) { text, part in
            let halves = part.split(separator: "}}", maxSplits: 1, omittingEmptySubsequences: false)
            guard let value = values[String(halves[0])] else {
                preconditionFailure("the pages have nothing for '\(halves[0])'")
            }
            text += value + halves[1]
        }
    }
}

extension Pages.Page {
    /// The module that makes the page work.
    fileprivate var module: String? {
        switch self {
        case .live, .history, .settings: "Browser/\(rawValue).mjs"
        case .signIn, .wrongToken: nil
        }
    }

    /// The page with `{{key}}` in place of words and paths, and without the parts that are only for pages with
    /// charts, or only for pages without. Marker lines enclose these parts.
    fileprivate func template(hasCharts: Bool) -> String {
        let page =
            switch self {
            case .live: Self.framed(PackageResources.live_html)
            case .history: Self.framed(PackageResources.history_html)
            case .settings: Self.framed(PackageResources.settings_html)
            case .signIn, .wrongToken: String(decoding: PackageResources.signin_html, as: UTF8.self)
            }
        var text = ""
        var isLeftOut = false
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            switch line.drop(while: { $0 == " " }) {
            case "<!-- with charts -->": isLeftOut = !hasCharts
            case "<!-- without charts -->": isLeftOut = hasCharts
            case "<!-- always -->": isLeftOut = false
            default: if !isLeftOut { text += line + "\n" }
            }
        }
        return text
    }

    /// A page's content within the head and navigation that all pages share.
    private static func framed(_ content: [UInt8]) -> String {
        String(decoding: PackageResources.frame_html, as: UTF8.self)
            .replacing("{{content}}\n", with: String(decoding: content, as: UTF8.self))
    }
}

extension String {
    /// The text as a value in a query.
    fileprivate var percentEncoded: String {
        utf8.map { byte in
            Route.isIdentifier(String(UnicodeScalar(byte))) || byte == UInt8(ascii: "/")
                ? String(UnicodeScalar(byte)) : "%" + hexadecimal([byte]).uppercased()
        }.joined()
    }
}
