import StudyTesting
import Testing

/// The recipes of the cookbook, and the examples of the ideas, are right as they are there, and go through.
@Suite struct CookbookTests {
    private static let pages = ["Cookbook", "StudyFormat", "WritingAssistants"].map {
        Program.text(of: "\(Program.root)Sources/Documentation/Entrain.docc/\($0).md")
    }

    @Test func `each recipe has nothing wrong, and two participants go through it`() {
        let recipes = Self.pages.flatMap(Recipe.all)
        #expect(recipes.count >= 58)
        #expect(Set(recipes.map(\.name)).count == recipes.count)
        let program = Program()
        _ = program.lines(of: "cp -r \(Program.root)Media .")
        let files = recipes.indices.map { program.write(recipes[$0].study, "recipe-\($0).yaml") }
        let checked = program.run("check \(files.joined(separator: " "))").output
        for (recipe, file) in zip(recipes, files) {
            if !checked.contains("\(file): nothing wrong") {
                Issue.record("\(recipe.name)\n\(program.run("check \(file)").output)")
            }
            let rehearsed = program.run("rehearse \(file) --participants 2")
            #expect(rehearsed.code == 0, "\(recipe.name)\n\(rehearsed.errors)")
        }
    }

    @Test func `a recipe without steps, or with something unknown, is no study`() {
        let recipe = Recipe(
            name: "", text: "steps:\n  - {type: instruction, identifier: a, title: A, colour: red}")
        let program = Program()
        let file = program.write(recipe.study, "recipe.yaml")
        #expect(program.run("check \(file)").code == 65)
    }
}

/// "I want …", and the YAML for it.
private struct Recipe {
    var name: String
    var text: String

    static func all(in page: String) -> [Recipe] {
        page.split(separator: "\n### ").dropFirst().compactMap { part in
            let name = part.prefix { $0 != "\n" }
            guard let start = part.firstRange(of: "```yaml\n")?.upperBound,
                let end = part[start...].firstRange(of: "\n```")?.lowerBound
            else { return nil }
            return Recipe(name: String(name), text: String(part[start..<end]))
        }
    }

    /// The recipe in the page's frame: steps, scores, displays and recorders belong to the task, all else to the file.
    var study: String {
        var file: [Substring] = []
        var task: [Substring] = []
        var steps: [Substring] = []
        var key = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let first = line.first, !" #-".contains(first) { key = String(line.prefix { $0 != ":" }) }
            switch key {
            case "steps": steps.append(line)
            case "scores", "display", "recorders", "order": task.append(line)
            default: file.append(line)
            }
        }
        if text.hasPrefix("entrain:") { return text + "\n" }
        if !text.contains("study:") { file.insert("study: {identifier: recipe, title: A recipe}", at: 0) }
        if !text.contains("type: completion") {
            steps.append("  - {type: completion, identifier: thanks, title: Thank you!}")
        }
        let inner = (task + steps).map { line in line.isEmpty ? "" : "    " + line }
        let lines: [String] =
            ["entrain: 1"] + file.map(String.init) + ["tasks:", "  - identifier: main"] + inner
        return lines.joined(separator: "\n") + "\n"
    }
}
