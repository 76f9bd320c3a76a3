import Glibc
import Platform

/// What the standard streams are connected to.
package enum Terminals {
    package static var isInputTerminal: Bool { isatty(STDIN_FILENO) == 1 }
    package static var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Whether standard output should have colours: it is a terminal, and neither `NO_COLOR` nor `TERM=dumb` is
    /// set.
    package static var isColoured: Bool {
        isOutputTerminal && (environmentVariable("NO_COLOR") ?? "").isEmpty
            && environmentVariable("TERM") != "dumb"
    }

    /// The locale of characters, such as `C.UTF-8`; `nil` if none is set.
    package static var locale: String? {
        ["LC_ALL", "LC_CTYPE", "LANG"].compactMap(environmentVariable).first { !$0.isEmpty }
    }

    /// Whether the terminal on standard output shows more than ASCII, by its type and the locale.
    package static var usesUnicode: Bool {
        let locale = locale?.lowercased() ?? ""
        let isOld = ["vt", "ansi", "dumb"].contains { (environmentVariable("TERM") ?? "").hasPrefix($0) }
        return !isOld && ["utf-8", "utf8"].contains(where: locale.contains)
    }

    /// Drops input that was typed but not read.
    package static func forgetTyped() { if isInputTerminal { tcflush(STDIN_FILENO, TCIFLUSH) } }
}
