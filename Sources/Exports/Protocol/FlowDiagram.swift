import StudyEngine
import StudyModel
import TextFormat

/// The path through a task as a picture: a box for each step, a frame around each block, and a line for each jump.
///
/// It is narrow enough for a telephone, and is divided between steps where a sheet of paper ends.
struct FlowDiagram {
    private let task: String
    private let steps: [ProtocolStep]
    private let numbers: [Identifier: String]
    private let plan: RunPlan?
    private let language: Language?
    private var marks: [Mark] = []
    /// Where one step begins after another, so that the picture may be divided there.
    private var breaks: [Double] = []
    private var boxes: [String: (top: Double, height: Double, right: Double)] = [:]
    private var jumps: [(from: String, to: String)] = []
    private var y = 4.0

    private static let width = 420.0
    private static let line = 16.0
    private static let gap = 18.0
    private static let indent = 14.0
    private static let laneWidth = 11.0
    private static let mostLanes = 6
    /// The height that fits on a sheet of A4 with its heading.
    private static let pieceHeight = 840.0
    private static let end = "end"

    /// A drawn element, from its top to its bottom.
    private struct Mark {
        var top: Double
        var bottom: Double
        var draw: (inout Drawing, Double) -> Void
    }

    /// - Parameter language: the language of the steps' titles.
    init(_ shown: ProtocolPage.ShownTask, in language: Language?) {
        (task, steps, plan, self.language) = (shown.name, shown.steps, shown.plan, language)
        numbers = Dictionary(steps.map { ($0.identifier, $0.number) }) { first, _ in first }
        jumps = steps.flatMap(\.withInner).flatMap { step in
            step.step.navigation.goTo.map { jump in
                switch jump.target {
                case .step(let target): (step.number, numbers[target] ?? Self.end)
                case .end: (step.number, Self.end)
                }
            }
        }
        place(steps, depth: 0)
        if jumps.contains(where: { $0.to == Self.end }) { placeEnd() }
        drawJumps()
    }

    private var laneRoom: Double {
        jumps.isEmpty ? 0 : Double(min(jumps.count, Self.mostLanes)) * Self.laneWidth + 10
    }

    private func edges(at depth: Int) -> (left: Double, right: Double) {
        (4 + Double(depth) * Self.indent, Self.width - 4 - laneRoom - Double(depth) * Self.indent * 0.6)
    }

    private mutating func place(_ steps: [ProtocolStep], depth: Int) {
        for (place, step) in steps.enumerated() {
            if place > 0 {
                if steps[place - 1].step.leadsOn { addArrow(depth) } else { y += Self.gap }
                breaks.append(y - Self.gap / 2)
            }
            if step.block != nil { placeBlock(step, depth) } else { placeBox(step, depth) }
        }
    }

    private mutating func addArrow(_ depth: Int) {
        let (top, x) = (y, edges(at: depth).left + 22)
        y += Self.gap
        let bottom = y
        marks.append(
            Mark(top: top, bottom: bottom) { drawing, shift in
                drawing.line((x, top - shift), (x, bottom - 5 - shift), "axis")
                drawing.path(
                    [(x - 4, bottom - 7 - shift), (x + 4, bottom - 7 - shift), (x, bottom - shift)], "tip",
                    isClosed: true)
            })
    }

    private mutating func placeBox(_ step: ProtocolStep, _ depth: Int) {
        let lines = step.diagramLines(numbers, plan, language)
        let style = step.step.isEnd ? "shade" : step.step.playsClip ? "clip" : "box"
        let (left, right) = edges(at: depth)
        let height = addText(step, lines, from: left + 9, to: right - 9, top: y + 5)
        let top = y
        marks.insert(
            Mark(top: top, bottom: top + height) { drawing, shift in
                drawing.rectangle(left, top - shift, right - left, height, style)
            }, at: 0)
        boxes[step.number] = (top, height, right)
        y += height
    }

    /// - Returns: the height of a box around it.
    private mutating func addText(
        _ step: ProtocolStep, _ lines: [String], from left: Double, to right: Double, top: Double
    ) -> Double {
        let name = step.title(in: language) ?? step.identifier.text
        var wrapped = Self.wrapped("\(step.number)  \(name)", to: right - left).map {
            ($0, "bold")
        }
        wrapped += lines.flatMap { Self.wrapped($0, to: right - left) }.map { ($0, "") }
        for (place, (text, style)) in wrapped.enumerated() {
            let base = top + Double(place + 1) * Self.line - 4
            marks.append(
                Mark(top: base - Self.line, bottom: base + 4) { drawing, shift in
                    drawing.text(text, left, base - shift, style)
                })
        }
        return Double(wrapped.count) * Self.line + 10
    }

    private mutating func placeBlock(_ step: ProtocolStep, _ depth: Int) {
        let (left, right) = edges(at: depth)
        let top = y
        y += addText(
            step, step.diagramLines(numbers, plan, language), from: left + 9, to: right - 9, top: y + 5)
        place(step.inner, depth: depth + 1)
        if !step.inserted.isEmpty {
            y += 6
            let (base, words) = (y + Self.line - 4, "once in a pass, at a drawn place:")
            marks.append(
                Mark(top: y, bottom: base + 4) { drawing, shift in
                    drawing.text(words, left + 9, base - shift, "soft")
                })
            y += Self.line + 4
            place(step.inserted, depth: depth + 1)
        }
        y += 10
        let bottom = y
        marks.insert(
            Mark(top: top, bottom: bottom) { drawing, shift in
                drawing.rectangle(left, top - shift, right - left, bottom - top, "frame")
            }, at: 0)
        boxes[step.number] = (top, 30, right)
    }

    private mutating func placeEnd() {
        y += Self.gap
        breaks.append(y - Self.gap / 2)
        let (top, edges) = (y, edges(at: 0))
        marks.append(
            Mark(top: top, bottom: top + 26) { drawing, shift in
                drawing.rectangle(edges.left, top - shift, edges.right - edges.left, 26, "shade")
                drawing.text("end of the task", edges.left + 9, top + 17 - shift)
            })
        boxes[Self.end] = (top, 26, edges.right)
        y += 26
    }

    /// Draws a line for each jump beside the boxes. If there is no room for all of them, the words in the boxes say
    /// the rest.
    private mutating func drawJumps() {
        var lanes: [[ClosedRange<Double>]] = []
        var starts: [String: Int] = [:]
        let right = edges(at: 0).right
        for jump in jumps {
            guard let from = boxes[jump.from], let to = boxes[jump.to] else { continue }
            let number = starts[jump.from, default: 0]
            starts[jump.from] = number + 1
            let start = from.top + min(from.height - 6, 14 + 8 * Double(number))
            let goal = to.top + min(13, to.height / 2)
            let span = min(start, goal) - 3...max(start, goal) + 3
            let lane = lanes.firstIndex { !$0.contains { $0.overlaps(span) } } ?? lanes.count
            guard lane < Self.mostLanes else { continue }
            if lane == lanes.count { lanes.append([]) }
            lanes[lane].append(span)
            let x = right + 8 + (Double(lane) + 0.5) * Self.laneWidth
            marks.append(
                Mark(top: span.lowerBound - 4, bottom: span.upperBound + 4) { drawing, shift in
                    drawing.line((from.right, start - shift), (x, start - shift), "jump")
                    drawing.line((x, start - shift), (x, goal - shift), "jump")
                    drawing.line((x, goal - shift), (to.right + 6, goal - shift), "jump")
                    drawing.path(
                        [
                            (to.right + 7, goal - 4 - shift), (to.right + 7, goal + 4 - shift),
                            (to.right, goal - shift),
                        ], "tip", isClosed: true)
                })
        }
    }

    /// The text in lines that fit.
    static func wrapped(_ text: String, to room: Double) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(whereSeparator: \.isWhitespace) {
            let longer = line.isEmpty ? String(word) : line + " " + word
            if Drawing.width(of: longer) <= room || line.isEmpty {
                line = longer
            } else {
                lines.append(line)
                line = String(word)
            }
            while Drawing.width(of: line) > room, line.count > 1 {
                let fitting = line.prefix(max(1, Int(room / Drawing.letter / 2)))
                lines.append(String(fitting))
                line = String(line.dropFirst(fitting.count))
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }

    var html: String {
        var pieces: [Range<Double>] = []
        var start = 0.0
        while y + 4 - start > Self.pieceHeight {
            let cut =
                breaks.last { $0 > start + 40 && $0 <= start + Self.pieceHeight } ?? start + Self.pieceHeight
            pieces.append(start..<cut)
            start = cut
        }
        pieces.append(start..<max(y + 4, start + 1))
        return pieces.enumerated().map { place, piece in
            let inside = steps.flatMap(\.withInner).filter { step in
                boxes[step.number].map { piece.contains($0.top) } ?? false
            }
            let part = pieces.count > 1 ? ", part \(place + 1) of \(pieces.count)" : ""
            let names = inside.map { "\($0.number) \($0.identifier), \($0.step.facts.name)" }
            var drawing = Drawing(
                width: Self.width, height: piece.upperBound - piece.lowerBound,
                description: "The way through task \(task)\(part): \(names.joined(separator: "; "))")
            for mark in marks where mark.bottom >= piece.lowerBound && mark.top < piece.upperBound {
                mark.draw(&drawing, piece.lowerBound)
            }
            let caption = pieces.count > 1 ? "Part \(place + 1) of \(pieces.count)." : ""
            return "<figure class=\"flow\">\(drawing.svg)"
                + (caption.isEmpty ? "" : "<figcaption>\(caption)</figcaption>") + "</figure>\n"
        }.joined()
    }
}

extension Step {
    /// Whether the next step may follow.
    fileprivate var leadsOn: Bool { !isEnd && !navigation.goTo.contains { $0.condition == nil } }

    fileprivate var playsClip: Bool { stimulus != nil }
}
