import Hashing
import NIOCore
import Platform
import TextFormat

/// What the pages of one language load: scripts, styles, and the charts of the system.
///
/// All of it lies below one path that has a hash of the whole. So the modules that a page gets are of one version,
/// although they import each other by relative paths, and a browser may keep them for ever.
struct PageAssets: Sendable {
    struct Asset: Sendable {
        let bytes: ByteBuffer
        let type: String
        fileprivate let sha256: String

        init(_ bytes: [UInt8], _ type: String) {
            (self.bytes, self.type) = (ByteBuffer(bytes: bytes), type + "; charset=utf-8")
            sha256 = SHA256.hexadecimal(of: bytes)
        }
    }

    /// Where Debian's `libjs-dygraphs` lies.
    static let chartFolder = "/usr/share/javascript/dygraphs/"

    /// The phrases of the language, as a module.
    private static let words = "words.mjs"

    let hash: String
    private let assets: [String: Asset]

    /// - Parameters:
    ///   - words: the texts of the language by their keys.
    ///   - charts: as from ``charts(in:)``.
    init(words: [String: String], charts: [String: Asset]) {
        let texts = JSON.members(words.mapValues { JSON.text($0) }).encoded()
        var assets = Self.ofAllLanguages.merging(charts) { $1 }
        assets[Self.words] = Asset(
            Array("export default ".utf8) + texts + Array(";\n".utf8), "text/javascript")
        self.assets = assets
        let sums = assets.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.sha256)" }
        hash = String(SHA256.hexadecimal(of: sums.joined(separator: "\n")).prefix(16))
    }

    private static let ofAllLanguages: [String: Asset] = {
        var assets: [String: Asset] = [:]
        for (name, bytes) in modules { assets[name + ".mjs"] = Asset(bytes, "text/javascript") }
        // These two are no modules: they do their work before anything is drawn, or on a page of their own.
        assets["palette.js"] = Asset(PackageResources.palette_js, "text/javascript")
        assets["signin.js"] = Asset(PackageResources.signin_js, "text/javascript")
        assets["style.css"] = Asset(PackageResources.style_css, "text/css")
        assets["dark.css"] = Asset(PackageResources.dark_css, "text/css")
        return assets
    }()

    /// dygraphs, as far as it is installed.
    static func charts(in folder: String) -> [String: Asset] {
        let files = [
            ("dygraph.js", "dygraph.min.js", "text/javascript"),
            ("dygraph.css", "dygraph.min.css", "text/css"),
            ("smooth.js", "extras/smooth-plotter.js", "text/javascript"),
        ]
        var found: [String: Asset] = [:]
        for (name, path, type) in files {
            guard case .success(let bytes) = FileContents.read(folder + path, limit: 1 << 24) else {
                continue
            }
            found[name] = Asset(bytes, type)
        }
        return found.count == files.count ? found : [:]
    }

    subscript(_ name: String) -> Asset? { assets[name] }

    /// The path of each asset by its name.
    var paths: [String: String] {
        Dictionary(uniqueKeysWithValues: assets.keys.map { ($0, "/assets/\(hash)/\($0)") })
    }

    /// The names of a module and of all that it imports, directly or not.
    static func modules(from entry: String) -> Set<String> {
        var (found, open) = ([entry] as Set, [entry])
        while let name = open.popLast() {
            guard let imports = imports[name] else {
                preconditionFailure("the pages have no module '\(name)'")
            }
            for imported in imports where found.insert(imported).inserted { open.append(imported) }
        }
        return found
    }

    /// What each module imports, as its text says.
    private static let imports: [String: [String]] = {
        var imports = [words: [String]()]
        for (name, bytes) in modules { imports[name + ".mjs"] = Self.imports(in: bytes, of: name) }
        return imports
    }()

    private static func imports(in bytes: [UInt8], of name: String) -> [String] {
        let folder = name.split(separator: "/").dropLast()
        let parts = String(decoding: bytes, as: UTF8.self)
            .split(separator: "\"", omittingEmptySubsequences: false)
        return zip(parts, parts.dropFirst()).compactMap { before, path in
            guard before.hasSuffix("from ") || before.hasSuffix("import "), path.hasPrefix(".") else {
                return nil
            }
            let isAbove = path.hasPrefix("../")
            return ((isAbove ? folder.dropLast() : folder) + [path.drop { $0 == "." || $0 == "/" }])
                .joined(separator: "/")
        }
    }
}
