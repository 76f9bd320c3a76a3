import Datasets

/// A picture in SVG whose colours come from the page, so that it fits light mode, dark mode and paper.
struct Drawing {
    let width: Double
    let height: Double
    /// A description of the picture, for people who cannot see it.
    let description: String
    private var content = ""

    init(width: Double = 960, height: Double, description: String) {
        self.width = width
        self.height = height
        self.description = description
    }

    /// Average width of a letter at 12 px, large enough for every font of the page.
    static let letter = 7.0

    /// The greatest possible width of a text, px.
    static func width(of text: String) -> Double {
        text.unicodeScalars.reduce(0) { $0 + ($1.value > 0x1100 ? 2 : 1) * letter }
    }

    /// The text, cut off with `…` if it is too wide; empty if not even three letters fit.
    static func fitted(_ text: String, to room: Double) -> String {
        guard width(of: text) > room else { return text }
        var kept = ""
        for character in text {
            if width(of: kept) + width(of: String(character)) + letter > room { break }
            kept.append(character)
        }
        return kept.count < 3 ? "" : kept + "…"
    }

    /// The text, with `…` in its middle if it is too wide, because similar names differ at their end as often as at
    /// their beginning.
    static func fittedAround(_ text: String, to room: Double) -> String {
        guard width(of: text) > room else { return text }
        var end = ""
        for character in text.reversed() {
            if width(of: end) + width(of: String(character)) > room / 2 - letter { break }
            end.insert(character, at: end.startIndex)
        }
        return fitted(String(text.dropLast(end.count)), to: room - width(of: end)) + end
    }

    /// A coordinate to a tenth of a pixel.
    static func number(_ value: Double) -> String {
        let tenths = Int((min(max(value, -1e6), 1e6) * 10).rounded())
        let whole = "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10)"
        return tenths % 10 == 0 ? whole : "\(whole).\(abs(tenths) % 10)"
    }

    mutating func rectangle(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ style: String, tip: String? = nil
    ) {
        let size = "width=\"\(Self.number(max(0, width)))\" height=\"\(Self.number(max(0, height)))\""
        add("rect", "x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" \(size)", style, tip)
    }

    mutating func line(_ from: (x: Double, y: Double), _ to: (x: Double, y: Double), _ style: String) {
        add(
            "line",
            "x1=\"\(Self.number(from.x))\" y1=\"\(Self.number(from.y))\" x2=\"\(Self.number(to.x))\" "
                + "y2=\"\(Self.number(to.y))\"", style, nil)
    }

    mutating func circle(_ x: Double, _ y: Double, _ radius: Double, _ style: String, tip: String? = nil) {
        add(
            "circle", "cx=\"\(Self.number(x))\" cy=\"\(Self.number(y))\" r=\"\(Self.number(radius))\"", style,
            tip)
    }

    mutating func path(_ points: [(x: Double, y: Double)], _ style: String, isClosed: Bool = false) {
        guard points.count > 1 else { return }
        let steps = points.enumerated().map { index, point in
            "\(index == 0 ? "M" : "L")\(Self.number(point.x)) \(Self.number(point.y))"
        }
        add("path", "d=\"\(steps.joined())\(isClosed ? "Z" : "")\"", style, nil)
    }

    /// - Parameter style: the words `soft`, `bold`, `middle`, `end`.
    mutating func text(_ text: String, _ x: Double, _ y: Double, _ style: String = "") {
        guard !text.isEmpty else { return }
        content +=
            "<text x=\"\(Self.number(x))\" y=\"\(Self.number(y))\"\(style.isEmpty ? "" : " class=\"\(style)\"")>"
            + "\(HTML.escaped(text))</text>\n"
    }

    /// The axis of a run's time, which is in seconds for a short run and otherwise in minutes, with what it is called.
    ///
    /// - Parameter name: the words below it, for a unit.
    mutating func timeAxis(
        _ duration: Double, from left: Double, to right: Double, at y: Double, named name: (String) -> String
    ) {
        let isShort = duration < 180
        let time = Axis(0...duration / (isShort ? 1 : 60), pixels: (left, right))
        line((left, y), (right, y), "axis")
        for tick in time.ticks(10) {
            let x = time.place(tick)
            line((x, y), (x, y + 6), "axis")
            text(Axis.label(tick), x, y + 21, "middle soft")
        }
        text(name(isShort ? "s" : "min"), (left + right) / 2, y + 44, "middle soft")
    }

    /// Slanting lines over a rectangle, in one or both directions, which are visible without colour.
    mutating func hatch(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, isCrossed: Bool, _ style: String
    ) {
        guard width > 0, height > 0 else { return }
        let distance = 8.0
        for start in stride(from: x - height, to: x + width, by: distance) {
            let from = max(start, x)
            let to = min(start + height, x + width)
            guard from < to else { continue }
            line((from, y + height - (from - start)), (to, y + height - (to - start)), style)
            if isCrossed { line((from, y + (from - start)), (to, y + (to - start)), style) }
        }
    }

    private mutating func add(_ element: String, _ attributes: String, _ style: String, _ tip: String?) {
        content += "<\(element) \(attributes) class=\"\(style)\""
        content += tip.map { "><title>\(HTML.escaped($0))</title></\(element)>\n" } ?? "/>\n"
    }

    var svg: String {
        "<svg viewBox=\"0 0 \(Self.number(width)) \(Self.number(height))\" role=\"img\" "
            + "aria-label=\"\(HTML.escaped(description))\">\n\(content)</svg>\n"
    }

    /// The picture with words below it, if there are any. What a telephone has no room for scrolls in a box of its own.
    func figure(_ caption: String = "") -> String {
        let words = caption.isEmpty ? "" : "<figcaption>\(HTML.escaped(caption))</figcaption>"
        return width <= 480
            ? "<figure class=\"narrow\">\(svg)\(words)</figure>\n"
            : "<figure><div class=\"wide\" tabindex=\"0\">\(svg)</div>\(words)</figure>\n"
    }
}
