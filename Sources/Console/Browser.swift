import ArgumentParser
import BundleReplay
import Glibc
import Platform
import Results
import Sound

/// What a page is written as.
package enum PageForm: String, ExpressibleByArgument, CaseIterable {
    case html, png, pdf

    /// As it was asked for, or as the file's name says.
    ///
    /// - Throws: `ValidationError` if the two disagree.
    package init(_ asked: PageForm?, for file: String) throws {
        let ending = file.split(separator: "/").last?.split(separator: ".").dropFirst().last
        let named = ending.flatMap { PageForm(rawValue: $0.lowercased()) }
        if let asked, let named, asked != named {
            throw ValidationError("--to \(asked.rawValue) does not make a file named '\(file)'")
        }
        self = asked ?? named ?? .html
    }

    /// Writes a page to a new file.
    package func write(_ page: String, to file: String) throws {
        switch self {
        case .html: try NewFile.write(Array(page.utf8), to: file)
        case .png, .pdf: try Browser.print(page, as: self, to: file)
        }
    }
}

/// Chromium without a window, if it is installed.
package enum Browser {
    /// A large page takes a few seconds, and a browser that hangs must not make anybody wait forever.
    private static let limit = Duration.seconds(120)
    package static let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]

    /// Prints a page as a picture with the page's height, or on A4 paper.
    package static func print(_ page: String, as form: PageForm, to file: String) throws {
        guard let browser = names.lazy.compactMap({ ExecutableFile.path(of: $0, in: ".") }).first else {
            throw StudyFailure(
                "Chromium is needed for --to \(form.rawValue) and is not installed: apt-get install chromium, or open "
                    + "the page of --to html in a browser", .missing)
        }
        try NewFile.mustBeNew(file)
        let folder = try TemporaryFolder()
        try NewFile.write(Array(page.utf8), to: folder.path + "/page.html")
        let output = "\(folder.path)/page.\(form.rawValue)"
        switch form {
        case .html: return
        case .pdf: try run(browser, folder, ["--no-pdf-header-footer", "--print-to-pdf=\(output)"])
        case .png:
            let height = try height(of: page, browser, folder)
            try run(
                browser, folder,
                ["--hide-scrollbars", "--window-size=1040,\(height)", "--screenshot=\(output)"])
        }
        try NewFile.write(NewFile.read(output), to: file)
    }

    /// The page's height at a width of 1040 px, in the browser's layout.
    private static func height(of page: String, _ browser: String, _ folder: TemporaryFolder) throws -> Int {
        // A copy of the page that measures itself and reports the result. The report itself contains no script.
        let script = "<script>document.title = 'h=' + document.documentElement.scrollHeight</script></body>"
        let policy = "style-src 'unsafe-inline'"
        let measuring = page.replacing("</body>", with: script)
            .replacing(policy, with: policy + "; script-src 'unsafe-inline'")
        try NewFile.write(Array(measuring.utf8), to: folder.path + "/measure.html")
        let said = folder.path + "/said.html"
        try run(
            browser, folder, ["--window-size=1040,800", "--dump-dom"], page: "measure.html", output: said)
        let text = String(decoding: try NewFile.read(said), as: UTF8.self)
        guard let start = text.firstRange(of: "<title>h=")?.upperBound,
            let height = Int(text[start...].prefix { $0.isNumber })
        else { throw StudyFailure("Chromium did not return the height of the page", .missing) }
        return min(max(height, 200), 16_000)
    }

    private static func run(
        _ browser: String, _ folder: TemporaryFolder, _ options: [String], page: String = "page.html",
        output: String = "/dev/null"
    ) throws {
        let words =
            [
                browser, "--headless", "--disable-gpu", "--no-first-run", "--disable-extensions",
                "--disable-background-networking", "--user-data-dir=\(folder.path)/profile",
            ] + (geteuid() == 0 ? ["--no-sandbox"] : []) + options + ["file://\(folder.path)/\(page)"]
        let end = unsafe ProcessGroup.run(words, atMost: limit, until: Interruption.descriptor) { actions in
            unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            unsafe posix_spawn_file_actions_addopen(
                &actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        }
        switch end {
        case .code(0): return
        case .code(let code):
            throw StudyFailure("Chromium ended with \(code) and printed nothing", .missing)
        case .interrupted: throw ExitCode.interrupted
        case .stopped:
            throw StudyFailure(
                "Chromium did not end within \(limit.components.seconds) s and was stopped; print the page of --to "
                    + "html from any browser", .missing)
        case .neverBegan(let code): throw FileFailure("start", browser, .system(code: code))
        }
    }
}
