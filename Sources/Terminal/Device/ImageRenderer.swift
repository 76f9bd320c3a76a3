import Glibc
import Platform
package import StudyModel

/// A picture as a terminal draws it.
struct RenderedImage: Hashable, Sendable {
    /// Character cells.
    var columns: Int
    var rows: Int
    var form: StepImage.Form
    /// What is sent to the terminal, with the cursor in the upper left cell; of blocks, a line for each row.
    var text: String
}

extension StepImage.Form {
    /// Such as `by sixels`.
    package var words: String {
        switch self {
        case .kitty: "by kitty's protocol"
        case .sixel: "by sixels"
        case .blocks: "as characters"
        case .alternative: "their alternative texts"
        }
    }
}

/// Where a picture is shown, which decides how large it is.
package struct ImagePlace: Hashable, Sendable {
    /// The file, relative to the study file.
    var path: String
    /// Whether it stands below one of several choices.
    var isChoice: Bool
}

/// Draws pictures for a terminal, by the program chafa.
package struct ImageRenderer: Sendable {
    /// The study's folder.
    let folder: String
    let places: Set<ImagePlace>
    let form: StepImage.Form
    let background: Colour?
    /// The terminal; chafa asks it for the size of its cells.
    let terminal: Int32

    /// The program that draws.
    package static let program = "chafa"
    package static var isThere: Bool { ExecutableFile.path(of: program, in: ".") != nil }

    /// All pictures, for a terminal of its size now. Those that cannot be drawn are missing.
    func all() -> [ImagePlace: RenderedImage] {
        var size = winsize()
        guard unsafe ioctl(terminal, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return [:]
        }
        let drawn = places.map { ($0, rendered($0, size)) }
        return Dictionary(uniqueKeysWithValues: drawn).compactMapValues(\.self)
    }

    private func rendered(_ place: ImagePlace, _ terminal: winsize) -> RenderedImage? {
        let path = "\(folder)/\(place.path)"
        guard case .success(let bytes) = FileContents.read(path, limit: ImageSize.largestFile),
            let image = ImageSize(of: bytes)
        else { return nil }
        let cells = Self.cells(of: image, isChoice: place.isChoice, as: form, in: terminal)
        guard let text = draw(path, cells) else { return nil }
        return RenderedImage(columns: cells.columns, rows: cells.rows, form: form, text: text)
    }

    /// As large as it fits beside the words, at most four times as large as it is.
    static func cells(
        of image: ImageSize, isChoice: Bool, as form: StepImage.Form, in terminal: winsize
    ) -> TerminalSize {
        let (columns, rows) = (Int(terminal.ws_col), Int(terminal.ws_row))
        // Cells whose size the terminal does not tell are twice as high as wide.
        let isTold = terminal.ws_xpixel > 0 && terminal.ws_ypixel > 0
        let width = isTold ? Double(terminal.ws_xpixel) / Double(columns) : 10
        let height = isTold ? Double(terminal.ws_ypixel) / Double(rows) : 20
        let mostColumns = Double(min(columns - 6, isChoice ? 20 : 72))
        // In fewer rows, characters show no face.
        let rowsOfChoice = form == .blocks ? 6 : max(2, min(5, rows / 8))
        let mostRows = Double(isChoice ? rowsOfChoice : max(3, min(rows - 11, 24)))
        let scale = min(
            mostColumns * width / Double(image.width), mostRows * height / Double(image.height), 4)
        return TerminalSize(
            columns: Int((Double(image.width) * scale / width).rounded(.up)),
            rows: Int((Double(image.height) * scale / height).rounded(.up)))
    }

    private func draw(_ path: String, _ cells: TerminalSize) -> String? {
        guard let pipe = ProcessGroup.pipe() else { return nil }
        defer { close(pipe.read) }
        var process: pid_t = 0
        let formats: [StepImage.Form: String] = [.kitty: "kitty", .sixel: "sixels", .blocks: "symbols"]
        let ground = background.map { ["--bg", $0.hexadecimal] } ?? []
        let words =
            [
                Self.program, "-f", formats[form] ?? "symbols", "-s", "\(cells.columns)x\(cells.rows)",
                "--scale", "max", "--polite", "on", "--animate", "off", "--symbols",
                "half+quad+space",
                "-c", form == .blocks ? "240" : "full",
            ] + ground + ["--", path]
        let code = unsafe ProcessGroup.spawn(words, as: &process) { actions in
            unsafe posix_spawn_file_actions_adddup2(&actions, terminal, 0)
            unsafe posix_spawn_file_actions_adddup2(&actions, pipe.write, 1)
            unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        }
        close(pipe.write)
        guard code == 0 else { return nil }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        // A picture takes some hundredths of a second; a file that was made to take forever is left out.
        while ProcessGroup.firstReady(of: [pipe.read], within: .seconds(5)) != nil, bytes.count < 64 << 20 {
            let count = unsafe read(pipe.read, &piece, piece.count)
            guard count > 0 else {
                let isDrawn = ProcessGroup.wait(for: process) == 0 && !bytes.isEmpty
                // A line feed below the last row would move the screen.
                while bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
                return isDrawn ? String(decoding: bytes, as: UTF8.self) : nil
            }
            bytes += piece.prefix(count)
        }
        kill(process, SIGKILL)
        ProcessGroup.wait(for: process)
        return nil
    }
}

extension ImageRenderer {
    /// - Parameters:
    ///   - plan: the run whose pictures are shown.
    ///   - form: how.
    /// - Returns: `nil` if the run has none, or if alternative texts are read.
    package init?(
        _ plan: RunPlan, in folder: String, as form: StepImage.Form, on background: Colour?, terminal: Int32
    ) {
        let places = Set(
            plan.allEntries.map(\.step).flatMap { step in
                step.images.map { ImagePlace(path: $0, isChoice: $0 != step.image?.path) }
            })
        guard !places.isEmpty, form != .alternative else { return nil }
        self.init(folder: folder, places: places, form: form, background: background, terminal: terminal)
    }
}
