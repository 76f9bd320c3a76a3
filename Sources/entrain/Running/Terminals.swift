import Glibc

/// What the standard streams are connected to.
enum Terminals {
    static var isInputTerminal: Bool { isatty(STDIN_FILENO) == 1 }
    static var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Whether colour is wanted on standard output: a terminal, and neither `NO_COLOR` nor `TERM=dumb`.
    static var isColoured: Bool {
        isOutputTerminal && (environment("NO_COLOR") ?? "").isEmpty && environment("TERM") != "dumb"
    }

    static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }
}
