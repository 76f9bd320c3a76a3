package import Analysing
import Datasets
import Statistics
import TextFormat

/// A page about how many participants a study needs.
package struct PowerReport {
    private let simulation: PowerSimulation
    private let study: String
    private let seed: UInt64

    package init(_ simulation: PowerSimulation, of study: String, seed: UInt64) {
        self.simulation = simulation
        self.study = study
        self.seed = seed
    }

    private static let frame = (left: 64.0, top: 16.0, right: 948.0, bottom: 276.0)

    /// The page.
    package var html: String {
        var page = ReportPage(title: "\(printable(study)): power by simulation")
        let answer = simulation.answer.joined(separator: " ")
        page.addSection("Answer", note: simulation.question, "<p>\(HTML.escaped(answer))</p>\n")
        page.addSection(
            "Power", note: "Bars are the 95 % intervals of the simulation: more studies make them shorter.",
            chart)
        page.addSection("In figures", table)
        let studies = simulation.designs.first?.found.studies ?? 0
        page.add("<footer>Made by entrain power: \(studies) simulated studies, seed \(seed).</footer>\n")
        return page.text
    }

    private var chart: String {
        var drawing = Drawing(
            height: 330, description: "Power by number of participants, with and without the effect")
        let counts = simulation.designs.map { Double($0.participants) }
        let people = Axis(
            (counts.first ?? 0)...(counts.last ?? 1), pixels: (Self.frame.left + 20, Self.frame.right - 20))
        let share = Axis(0...1, pixels: (Self.frame.bottom, Self.frame.top))
        for tick in [0, 0.2, 0.4, 0.6, 0.8, 1] {
            drawing.line((Self.frame.left, share.place(tick)), (Self.frame.right, share.place(tick)), "grid")
            drawing.text(Axis.label(tick), Self.frame.left - 8, share.place(tick) + 4, "end soft")
        }
        drawing.line(
            (Self.frame.left, share.place(PowerSimulation.level)),
            (Self.frame.right, share.place(PowerSimulation.level)), "middle-line")
        drawing.line((Self.frame.left, Self.frame.bottom), (Self.frame.right, Self.frame.bottom), "axis")
        for design in simulation.designs {
            let x = people.place(Double(design.participants))
            drawing.text("\(design.participants)", x, Self.frame.bottom + 20, "middle soft")
        }
        drawing.text(
            "participants", (Self.frame.left + Self.frame.right) / 2, Self.frame.bottom + 44, "middle soft")
        draw(\.found, "data", "dot", people, share, &drawing)
        draw(\.falselyFound, "edge", "box", people, share, &drawing)
        return drawing.figure(
            "Filled dots: studies with the effect. Open dots: without it; the broken line is at \(PowerSimulation.level)."
        )
    }

    private func draw(
        _ tally: KeyPath<PowerSimulation.Design, PowerSimulation.Tally>, _ line: String, _ dot: String,
        _ people: Axis, _ share: Axis, _ drawing: inout Drawing
    ) {
        let points = simulation.designs.map { design in
            (x: people.place(Double(design.participants)), tally: design[keyPath: tally], design: design)
        }
        drawing.path(points.map { ($0.x, share.place($0.tally.share)) }, line)
        for (x, tally, design) in points {
            drawing.line(
                (x, share.place(tally.interval.lowerBound)), (x, share.place(tally.interval.upperBound)), line
            )
            drawing.circle(
                x, share.place(tally.share), 4, dot,
                tip: "\(design.participants) participants: \(Axis.decimals(tally.share, 3))")
        }
    }

    private var table: String {
        let quantity = simulation.quantity
        let unit = quantity.symbol.isEmpty ? "" : ", \(quantity.symbol)"
        return HTML.table(
            [
                ("participants", true), ("power (95 % interval)", true),
                ("found without the effect (95 % interval)", true), ("mean estimate\(unit)", true),
                ("mean width of the 95 % interval\(unit)", true), ("studies without a test", true),
            ],
            simulation.designs.map { design in
                [
                    "\(design.participants)", Self.words(design.found), Self.words(design.falselyFound),
                    design.meanEstimate.map(Axis.signed) ?? "–",
                    design.meanWidth.map { Axis.decimals($0, 2) } ?? "–", "\(design.found.withoutAnswer)",
                ]
            })
    }

    private static func words(_ tally: PowerSimulation.Tally) -> String {
        "\(Axis.decimals(tally.share, 3)) (\(PowerSimulation.words(tally.interval)))"
    }
}
