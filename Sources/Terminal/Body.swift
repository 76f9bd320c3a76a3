import StudyModel
import StudySession
import TextFormat

/// The part of a screen that scrolls where it is longer than the terminal.
struct Body: Hashable, Sendable {
    var lines: [StyledLine] = []
    /// The lines of the question being answered.
    var focus: Range<Int>?
    /// Where typing goes on.
    var cursor: Frame.Position?

    mutating func addParagraph(_ more: [StyledLine]) {
        guard !more.isEmpty else { return }
        if !lines.isEmpty { lines.append(.empty) }
        lines += more
    }
}

extension Interview {
    func body(width: Int) -> Body {
        guard let screen else { return Body() }
        var body = Body()
        body.addParagraph(screen.title.lines(to: width, .heading))
        body.addParagraph(screen.text.lines(to: width))
        body.addParagraph(screen.detail.lines(to: width, .quiet))
        switch screen.content {
        case .instruction, .completion, .timed: break
        case .questions: addQuestions(to: &body, screen, width: width)
        case .consent(_, let document, _):
            for paragraph in paragraphs(ofMarkdown: document) {
                body.addParagraph(paragraph.text.lines(to: width, paragraph.isHeading ? .heading : .plain))
            }
            addQuestions(to: &body, screen, width: width)
        }
        return body
    }

    private func addQuestions(to body: inout Body, _ screen: Screen, width: Int) {
        for (index, draft) in drafts.enumerated() {
            let isFocused = index == focus && focused != nil
            var part = Body()
            let marker = drafts.count > 1 ? (isFocused ? "› " : "  ") : ""
            let question = draft.question
            let isRepeated = question.title == screen.title
            let title = isRepeated ? "" : question.title
            let note = question.isOptional ? " (\(wording(.optional)))" : ""
            if !title.isEmpty || !note.isEmpty {
                part.lines += (title + note).trimmed.lines(to: width - marker.count, .heading).enumerated()
                    .map {
                        StyledLine(Span($0 == 0 ? marker : String(repeating: " ", count: marker.count))) + $1
                    }
            }
            if question.text != screen.text {
                part.lines += question.text.lines(to: width - 2, .quiet).map { $0.indented(by: 2) }
            }
            draft.add(to: &part, width: width, isFocused: isFocused)
            if isFocused, let validationError {
                part.lines += ("! " + validationError.text(in: wording)).lines(to: width, .problem)
            } else if draft.control.isRequestShown {
                part.lines += draft.control.request.text(in: wording).lines(to: width, .quiet)
            }
            let start = body.lines.isEmpty ? 0 : body.lines.count + 1
            body.addParagraph(part.lines)
            guard isFocused else { continue }
            body.focus = start..<body.lines.count
            if let cursor = part.cursor {
                body.cursor = Frame.Position(row: start + cursor.row, column: cursor.column)
            }
        }
    }
}

/// Headings and paragraphs of a document, with the lines of a paragraph joined.
func paragraphs(ofMarkdown document: String) -> [(text: String, isHeading: Bool)] {
    var result: [(text: String, isHeading: Bool)] = []
    var isOpen = false
    for line in document.safe(keepsLines: true).split(separator: "\n", omittingEmptySubsequences: false) {
        let text = String(line).trimmed
        if text.hasPrefix("#") {
            result.append((String(text.drop { $0 == "#" }).trimmed, true))
            isOpen = false
        } else if text.isEmpty {
            isOpen = false
        } else if isOpen, let last = result.indices.last {
            let isItem = ["- ", "* ", "+ "].contains { text.hasPrefix($0) } || text.first?.isNumber == true
            result[last].text += (isItem ? "\n" : " ") + text
        } else {
            result.append((text, false))
            isOpen = true
        }
    }
    return result
}
