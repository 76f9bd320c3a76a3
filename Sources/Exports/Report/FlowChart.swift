import Datasets
import Results
import StudyModel

/// From everybody who took part to the clips that were analysed, with who was lost on the way.
struct FlowChart {
    private var boxes: [(main: [String], side: [String])]

    private static let line = 18.0
    private static let column = (x: 20.0, width: 380.0)
    private static let side = (x: 460.0, width: 490.0)

    init(_ sessions: [RecordedSession], _ study: StudyResponse) {
        let statuses = sessions.counts(of: \.status)
        let lost = statuses.filter { $0.key != "completed" }.sorted { $0.key < $1.key }
        let reasons = study.exclusions.counts(of: \.reason.rawValue)
            .sorted { (-$0.value, $0.key) < (-$1.value, $1.key) }
        let counted = Set(study.responses.map(\.participant)).count
        boxes = [
            (["\(study.participants) participants took part", "in \(study.sessions) sessions"], []),
            (
                ["\(statuses["completed"] ?? 0) sessions completed"],
                lost.isEmpty ? [] : ["Not completed:"] + lost.map { "\($0.value) \($0.key)" }
            ),
        ]
        guard study.hasClips else { return }
        boxes += [
            (
                ["\(study.responses.count + study.exclusions.count) clips played"],
                reasons.isEmpty ? [] : ["Left out:"] + reasons.map { "\($0.value): \($0.key)" }
            ),
            (["\(study.responses.count) clips analysed", "of \(counted) participants"], []),
        ]
    }

    var html: String {
        let heights = boxes.map { Double(max($0.main.count, $0.side.count)) * Self.line + 20 }
        let height = heights.reduce(0, +) + Double(boxes.count - 1) * 34 + 8
        var drawing = Drawing(
            height: height, description: boxes.flatMap { $0.main + $0.side }.joined(separator: ", "))
        var y = 4.0
        let middle = Self.column.x + Self.column.width / 2
        for (index, box) in boxes.enumerated() {
            let center = y + heights[index] / 2
            Self.box(
                box.main, Self.column.x, y, Self.column.width, heights[index], isCentered: true, &drawing)
            if !box.side.isEmpty {
                drawing.line(
                    (Self.column.x + Self.column.width, center), (Self.side.x, center), "axis")
                Self.box(
                    box.side, Self.side.x, y, Self.side.width, heights[index], isCentered: false, &drawing)
            }
            y += heights[index]
            if index < boxes.count - 1 {
                drawing.line((middle, y), (middle, y + 34), "axis")
                drawing.path([(middle - 5, y + 25), (middle, y + 34), (middle + 5, y + 25)], "axis box")
                y += 34
            }
        }
        return "<figure>\(drawing.svg)</figure>\n"
    }

    private static func box(
        _ lines: [String], _ x: Double, _ y: Double, _ width: Double, _ height: Double, isCentered: Bool,
        _ drawing: inout Drawing
    ) {
        drawing.rectangle(x, y, width, height, "box")
        let first = y + (height - Double(lines.count) * line) / 2 + 13
        for (index, text) in lines.enumerated() {
            let style = (isCentered ? "middle" : "") + (index == 0 ? " bold" : "")
            drawing.text(
                Drawing.fitted(text, to: width - 20), isCentered ? x + width / 2 : x + 12,
                first + Double(index) * line, style)
        }
    }
}
