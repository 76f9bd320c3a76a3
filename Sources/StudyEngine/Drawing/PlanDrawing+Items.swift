import Hashing
import StudyModel

extension PlanDrawing {
    /// The step with the orders of its questions and choices drawn.
    mutating func ordered(_ step: Step, path: [Identifier]) -> Step {
        var step = step
        let place = "\(task.identifier)/\(path.dotted)"
        if case .question(let format, let message) = step.kind {
            let stream = "choices/\(place)/\(step.identifier)"
            step.kind = .question(ordered(format, stream: stream), invalidMessage: message)
        } else if var form = step.form {
            form.order = drawn(
                form.order, of: form.questions.map(\.identifier.text), staying: [], stream: "items/\(place)")
            for index in form.questions.indices {
                let question = form.questions[index]
                // The rows of a matrix share the choices above them.
                let owner = form.isMatrix ? step.identifier : question.identifier
                let stream = "choices/\(place)/\(owner)"
                form.questions[index].format = ordered(question.format, stream: stream)
            }
            step.kind = .form(form)
        } else if var active = step.active {
            for index in active.prompts.indices {
                let question = active.prompts[index].question
                active.prompts[index].question.format = ordered(
                    question.format, stream: "choices/\(place)/\(question.identifier)")
            }
            step.kind = .active(active)
        }
        return step
    }

    private mutating func ordered(_ format: AnswerFormat, stream: String) -> AnswerFormat {
        guard let (choices, order) = format.offer else { return format }
        return format.offering(choices, order: drawn(order, of: choices, stream: stream))
    }

    /// Choices that ask for words or exclude all others keep their places.
    private mutating func drawn(
        _ order: ItemOrder, of choices: [AnswerFormat.Choice], stream: String
    ) -> ItemOrder {
        drawn(
            order, of: choices.map(\.value),
            staying: choices.indices.filter { choices[$0].isOther || choices[$0].isExclusive },
            stream: stream)
    }

    private mutating func drawn(
        _ order: ItemOrder, of names: [String], staying: [Int], stream: String
    ) -> ItemOrder {
        let method: String
        switch order {
        case .fixed, .drawn: return order
        case .shuffle: method = "shuffle"
        case .reverse: method = "reverse"
        }
        if let known = shownOrders[stream] { return .drawn(known) }
        var random = lastingGenerator(stream)
        var moving = names.indices.filter { !staying.contains($0) }
        if order == .shuffle {
            random.shuffle(&moving)
        } else if random.index(below: 2) == 1 {
            moving.reverse()
        }
        var rest = moving[...]
        let places = names.indices.map { staying.contains($0) ? $0 : rest.removeFirst() }
        shownOrders[stream] = places
        record(Draw(stream: stream, method: method, pool: names, chosen: places.map { names[$0] }))
        return .drawn(places)
    }
}
