import HTTPTypes
import Hummingbird
import NIOCore
import Results

/// The pages and what they need, ready to be sent.
struct Pages: Sendable {
    /// Only what comes from here, and no script or style within a page.
    static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
        base-uri 'none'; form-action 'self'; frame-ancestors 'none'
        """

    /// A page.
    enum Page: Hashable, Sendable { case live, history, signIn }

    /// Where Debian's `libjs-dygraphs` lies.
    static let chartFolder = "/usr/share/javascript/dygraphs/"

    private struct Asset: Sendable {
        var bytes: ByteBuffer
        var type: String
        var hash: String
    }

    private let assets: [String: Asset]
    private let live, history, signInPage: ByteBuffer
    private let openAPI: ByteBuffer

    /// - Parameter charts: the folder of dygraphs; where it is missing, pages say how to install it.
    init(charts: String = chartFolder) {
        var assets = [
            "chart.js": Self.asset(PackageResources.chart_js, "text/javascript"),
            "live.js": Self.asset(PackageResources.live_js, "text/javascript"),
            "history.js": Self.asset(PackageResources.history_js, "text/javascript"),
            "style.css": Self.asset(PackageResources.style_css, "text/css"),
        ]
        for (name, path, type) in [
            ("dygraph.js", "dygraph.min.js", "text/javascript"),
            ("dygraph.css", "dygraph.min.css", "text/css"),
            ("smooth.js", "extras/smooth-plotter.js", "text/javascript"),
        ] {
            if case .success(let bytes) = FileContents.read(charts + path, limit: 1 << 24) {
                assets[name] = Self.asset(bytes, type)
            }
        }
        self.assets = assets
        let hasCharts = ["dygraph.js", "dygraph.css", "smooth.js"].allSatisfy { assets[$0] != nil }
        live = Self.fill(
            Self.framed(PackageResources.live_html, "Live", script: "live.js"), assets, hasCharts: hasCharts)
        history = Self.fill(
            Self.framed(PackageResources.history_html, "History", script: "history.js"), assets,
            hasCharts: hasCharts)
        signInPage = Self.fill(
            String(decoding: PackageResources.signin_html, as: UTF8.self), assets, hasCharts: hasCharts)
        openAPI = ByteBuffer(bytes: PackageResources.openapi_json)
    }

    func page(_ page: Page, status: HTTPResponse.Status = .ok) -> Response {
        let bytes =
            switch page {
            case .live: live
            case .history: history
            case .signIn: signInPage
            }
        return Response(status, bytes, type: "text/html; charset=utf-8", cache: "no-store")
    }

    func asset(_ name: String, hash: String) throws(Refusal) -> Response {
        guard let asset = assets[name], asset.hash == hash else { throw .notFound("nothing is here") }
        return Response(.ok, asset.bytes, type: asset.type, cache: "public, max-age=31536000, immutable")
    }

    /// The API's description.
    var description: Response { Response(.ok, openAPI, type: "application/json", cache: "no-cache") }

    private static func asset(_ bytes: [UInt8], _ type: String) -> Asset {
        Asset(
            bytes: ByteBuffer(bytes: bytes), type: type + "; charset=utf-8",
            hash: String(SHA256.hexadecimal(of: bytes).prefix(16)))
    }

    /// Puts a page's content into the head and navigation that all pages share.
    private static func framed(_ content: [UInt8], _ title: String, script: String) -> String {
        String(decoding: PackageResources.frame_html, as: UTF8.self)
            .replacing("{{title}}", with: title)
            .replacing("{{script}}", with: "{{\(script)}}")
            .replacing("{{at \(title)}}", with: " aria-current=\"page\"")
            .replacing("{{at Live}}", with: "").replacing("{{at History}}", with: "")
            .replacing("{{content}}\n", with: String(decoding: content, as: UTF8.self))
    }

    /// Puts the hashed paths of assets into a page, `{{style.css}}`, and takes out either the part for charts
    /// or the part for missing charts, each between lines that say so.
    private static func fill(_ page: String, _ assets: [String: Asset], hasCharts: Bool) -> ByteBuffer {
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
        for (name, asset) in assets {
            text = text.replacing("{{\(name)}}", with: "/assets/\(asset.hash)/\(name)")
        }
        return ByteBuffer(string: text)
    }
}
