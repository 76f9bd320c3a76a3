import Testing

@testable import People

struct TerminalPictureTests {
    /// A terminal to which something was sent.
    private func terminal(_ text: String, columns: Int = 10, rows: Int = 3) throws -> TerminalPicture {
        var terminal = TerminalPicture(columns: columns, rows: rows)
        // Commands and characters may come in pieces.
        for byte in text.utf8 { try terminal.feed([byte]) }
        return terminal
    }

    @Test func `shows what is written at a place, and what was erased no more`() throws {
        let shown = try terminal(
            "\u{1B}[?1049h\u{1B}[2J\u{1B}[2;3Hhello\u{1B}[2;5H\u{1B}[K\u{1B}[1mé\u{1B}[0m")
        #expect(shown.lines == ["", "  heé", ""])
        #expect(shown.isScreen)
        #expect(shown.said == "")
    }

    @Test func `a wide character takes two cells, and a mark none`() throws {
        let shown = try terminal("\u{1B}[?1049h\u{1B}[1;1H日本a\u{1B}[1;3H*\u{1B}[2;1He\u{301}x")
        #expect(shown.lines == ["日*a", "e\u{301}x", ""])
    }

    @Test func `lines wrap and scroll, and stay known`() throws {
        let shown = try terminal("one\r\ntwo\r\nthree and more\r\n", columns: 8)
        #expect(shown.lines == ["three an", "d more", ""])
        #expect(shown.said == "one\ntwo\nthree and more\n")
    }

    @Test func `without wrapping, what is too long is not on the screen`() throws {
        #expect(try terminal("\u{1B}[?7labcdef", columns: 4).lines == ["abcd", "", ""])
    }

    @Test func `what is erased as it is typed is not said`() throws {
        #expect(try terminal("abc\u{8} \u{8}d\n").said == "abd\n")
    }

    @Test func `a change in several places is whole when its last part has come`() throws {
        #expect(try terminal("\u{1B}[?2026hab").isWhole == false)
        #expect(try terminal("\u{1B}[?2026hab\u{1B}[?2026l").isWhole)
    }

    @Test func `answers what kind of terminal it is, and nothing else`() throws {
        var asked = try terminal("\u{1B}[>31u\u{1B}[?u\u{1B}[<u\u{1B}]11;?\u{1B}\\\u{1B}[c")
        #expect(asked.takeReplies() == ["\u{1B}[?62c"])
        #expect(asked.takeReplies() == [])
    }

    @Test(arguments: ["[3A", "[?47h", "]0;title\u{7}", "7", "[5J"])
    func `names a command that it does not know`(command: String) {
        #expect(throws: TerminalPicture.Unknown(command: "ESC \(command)")) {
            try terminal("\u{1B}\(command)")
        }
    }

    @Test func `names a character that commands`() {
        #expect(throws: TerminalPicture.Unknown(command: "\u{E}")) { try terminal("\u{E}") }
    }
}
