import SessionPorts
import StudyModel
import TextFormat

/// The part of a screen that scrolls if it is longer than the terminal.
struct Body: Hashable, Sendable {
    var lines: [StyledLine] = []
    /// Pictures, with their places among the lines.
    var images: [Frame.PlacedImage] = []
    /// The lines of the question being answered.
    var focus: Range<Int>?
    /// The line that the keys change.
    var active: Int?
    /// Where the person is: where typing continues, or what the keys change.
    var cursor: Frame.Position?
    /// What can be clicked.
    var targets: [Target] = []
    /// Whether the questions are in a grid.
    var isGrid = false
    /// The place of the rating's line or plane among the lines.
    var pad: RatingPad?
    /// Blank lines between paragraphs.
    var gap = 1

    /// - Parameter isTight: whether it stands close to the lines before it.
    mutating func addParagraph(_ more: [StyledLine], isTight: Bool = false) {
        guard !more.isEmpty else { return }
        if !lines.isEmpty, !isTight { lines += Array(repeating: .empty, count: gap) }
        lines += more
    }

    /// Adds the lines that a picture covers; the words stand there while it is not shown.
    mutating func addImage(_ image: RenderedImage?, _ words: [StyledLine], indentedBy column: Int = 0) {
        if let image {
            let position = Frame.Position(row: lines.count, column: column)
            images.append(Frame.PlacedImage(position: position, image: image))
        }
        lines += words + Array(repeating: .empty, count: max(0, (image?.rows ?? 0) - words.count))
    }

    /// Adds what stands below.
    mutating func add(_ part: Body) {
        targets += part.targets.map { $0.moved(down: lines.count) }
        cursor = part.cursor.map { Frame.Position(row: lines.count + $0.row, column: $0.column) } ?? cursor
        lines += part.lines
    }
}

extension Interview {
    /// - Parameters:
    ///   - rows: how many rows are available. A higher grid repeats its head.
    ///   - gap: blank lines between paragraphs.
    func body(width: Int, rows: Int, gap: Int) -> Body {
        guard let screen else { return Body() }
        var body = Body(gap: gap)
        body.addParagraph(screen.title.lines(to: width, .accent))
        body.addParagraph(screen.text.lines(to: width))
        body.addParagraph(screen.detail.lines(to: width, .quiet))
        if let image = screen.image {
            if !body.lines.isEmpty { body.addParagraph([.empty], isTight: true) }
            body.addImage(
                images[ImagePlace(path: image.path, isChoice: false)],
                "[\(image.alternative)]".lines(to: width, .quiet))
        }
        switch screen.content {
        case .instruction, .completion: break
        case .timed:
            var asked = Body(gap: gap)
            if screen.isPrompting { addQuestions(to: &asked, screen, width: width) }
            addDisplays(to: &body, screen, width: width, rows: rows - asked.lines.count)
            addRating(to: &body, screen, width: width, rows: rows - asked.lines.count)
            if screen.isPrompting { addQuestions(to: &body, screen, width: width) }
        case .questions(_, isMatrix: true):
            guard !addGrid(to: &body, width: width, rows: rows) else { break }
            addQuestions(to: &body, screen, width: width)
        case .questions, .review: addQuestions(to: &body, screen, width: width)
        case .consent(_, let document, _):
            for block in Markdown.blocks(of: document) {
                body.addParagraph(block.lines(to: width), isTight: block.isTight)
            }
            addQuestions(to: &body, screen, width: width)
        }
        return body
    }

    private func addRating(to body: inout Body, _ screen: Screen, width: Int, rows: Int) {
        guard let rater else { return }
        let drawn = RatingDrawing(
            rater: rater, language: screen.language, width: width,
            rows: rows - (body.lines.isEmpty ? 0 : body.lines.count + body.gap)
        ).drawn
        let start = body.lines.isEmpty ? 0 : body.lines.count + body.gap
        body.addParagraph(drawn.lines)
        body.focus = 0..<body.lines.count
        body.pad = drawn.pad
        body.pad?.top += start
        body.cursor = Frame.Position(row: start + drawn.mark.row, column: drawn.mark.column)
        body.active = body.cursor?.row
    }

    private func addQuestions(to body: inout Body, _ screen: Screen, width: Int) {
        let isToRead = if case .review = screen.content { true } else { false }
        guard let form, isToRead || !needsReading else { return }
        // A question whose words are those of the step begins with them.
        guard !form.isReview else {
            addReview(of: form, to: &body, width: width)
            return
        }
        let isOnlyOne = form.items.count == 1 && form.items[0].question.title.isEmpty
        for (index, draft) in form.asked.enumerated() {
            let isFocused = index == form.place
            var part = lines(of: draft, on: screen, width: width, isFocused: isFocused)
            part.targets.indices.forEach { part.targets[$0].place = index }
            add(
                part, to: &body, isFocused: isFocused,
                isFromTop: !screen.isPrompting && (isOnlyOne || index == 0))
        }
        addSendLine(to: &body)
    }

    private func addReview(of form: AnswerForm, to body: inout Body, width: Int) {
        body.addParagraph(wording(.review).lines(to: width))
        for draft in form.items {
            body.addParagraph(draft.question.title.lines(to: width, .quiet))
            body.lines += draft.reviewed(wording).lines(to: width - 2, .strong).map { $0.indented(by: 2) }
        }
        addSendLine(to: &body)
    }

    /// - Returns: whether a grid fits.
    private func addGrid(to body: inout Body, width: Int, rows: Int) -> Bool {
        guard let form,
            let grid = MatrixGrid(form.items, optional: wording(.optional), width: width, rows: rows)
        else { return false }
        let errorLines = form.problem.map { ("  ! " + $0.text(in: wording)).lines(to: width, .problem) } ?? []
        body.isGrid = true
        grid.add(to: &body, place: form.place, errorLines: errorLines)
        addSendLine(to: &body)
        return true
    }

    private func addSendLine(to body: inout Body) {
        guard let form, form.hasSendLine else { return }
        let isFocused = form.isAtSendLine
        var part = Body(lines: [
            StyledLine(.marker(isFocused), Span(wording(.sendLine), isFocused ? .chosen : .plain))
        ])
        part.active = 0
        part.targets = [Target(columns: 0..<part.lines[0].columns, .sendLine)]
        part.cursor = isFocused ? Frame.Position(row: 0, column: 0) : nil
        add(part, to: &body, isFocused: isFocused, isFromTop: false)
    }

    /// - Parameter isFromTop: whether the lines before it belong to it, so that they are shown together if they
    ///   fit.
    private func add(_ part: Body, to body: inout Body, isFocused: Bool, isFromTop: Bool) {
        let start = body.lines.isEmpty ? 0 : body.lines.count + body.gap
        body.addParagraph(part.lines)
        body.images += part.images.map { placed in
            var placed = placed
            placed.position.row += start
            return placed
        }
        body.targets += part.targets.map { $0.moved(down: start) }
        guard isFocused else { return }
        let isConsent = if case .consent? = screen?.content { true } else { false }
        body.focus = (isFromTop && !isConsent ? 0 : start)..<body.lines.count
        body.active = start + (part.active ?? 0)
        body.cursor = part.cursor.map { Frame.Position(row: start + $0.row, column: $0.column) }
    }

    private func lines(of draft: Draft, on screen: Screen, width: Int, isFocused: Bool) -> Body {
        var part = Body()
        let question = draft.question
        let hasMarker = (form?.asked.count ?? 1) > 1
        let title = question.title == screen.title ? "" : question.title
        let note = question.isOptional ? " (\(wording(.optional)))" : ""
        let style: Style = isFocused && hasMarker ? .accent : .heading
        part.lines += (title + note).trimmed.lines(to: width - (hasMarker ? 2 : 0), style).enumerated().map {
            (hasMarker ? StyledLine(.marker($0 == 0 && isFocused)) : .empty) + $1
        }
        if question.text != screen.text {
            part.lines += question.text.lines(to: width - 2, .quiet).map { $0.indented(by: 2) }
        }
        let problem = isFocused ? form?.problem : nil
        let errorLines = problem.map { ("! " + $0.text(in: wording)).lines(to: width, .problem) } ?? []
        // The error stands above a list, so that it is visible however long the list is.
        if draft.control.isList { part.lines += errorLines }
        draft.add(to: &part, width: width, isFocused: isFocused, images)
        if !draft.control.isList { part.lines += errorLines }
        if let understood = draft.meaning {
            part.lines += "= \(understood)".lines(to: width, .strong)
        } else if problem == nil, draft.control.isRequestShown {
            part.lines += draft.control.request.text(in: wording).lines(to: width, .quiet)
        }
        if part.active == nil || problem != nil && !draft.control.isList {
            part.active = part.lines.count - 1
        }
        return part
    }
}
