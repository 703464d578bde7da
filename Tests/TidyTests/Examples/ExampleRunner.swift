import Foundation

/// Runs the examples of the guides that print something, and compares the output with their comments.
///
/// `print(x)  // 0, then 3` says that the line prints 0 and then 3. Comments at the end of an example show its whole
/// output. Each example has its own store in memory, with one movie in it.
struct ExampleRunner {
    /// The output that an example's comments promise: that of each line in turn, or that of the comments at the end.
    static func promised(by example: Example) -> [String] {
        let end = example.code.reversed().prefix { $0.hasPrefix("// ") }.reversed()
        if !end.isEmpty { return end.map { String($0.dropFirst(3)) } }
        return example.code.flatMap { line -> [String] in
            guard line.contains("print("), let comment = line.range(of: "  // ", options: .backwards) else { return [] }
            return line[comment.upperBound...].components(separatedBy: ", then ")
        }
    }

    /// Whether an example can run by itself: it needs only a repository, and its comments show its output.
    static func canRun(_ example: Example) -> Bool {
        let code = example.code.joined(separator: "\n")
        let prints = example.code.filter { $0.contains("print(") }
        return !example.needsFileScope && !prints.isEmpty && prints.allSatisfy { $0.contains("  // ") }
            && !code.contains("store.") && !code.contains("tokens") && !code.contains("…")
    }

    /// The source of a program that runs the examples, each after a line with its number.
    static func program(_ examples: [Example], functions: String) -> String {
        let calls = examples.indices.map { index in
            """
            print("== \(index)")
            do {
                let repository = try SQLiteRepository(.inMemory, entities: Movie.self)
                _ = try await repository.create(sample[0]).value()
                var tokens: Set<SignalToken> = []
                try await example\(index)(
                    repository: repository, id: sample[0].id, movie: sample[1], movies: Array(sample.dropFirst(2)),
                    tokens: &tokens)
            } catch {
                print("failed: \\(error)")
            }
            """
        }
        return """
            \(functions)

            @main struct Program {
                static let sample = ["Alien", "Fargo", "Emma", "Heat"].enumerated().map { place, title in
                    Movie(
                        id: UUID(), title: title, releaseDate: Date(timeIntervalSinceReferenceDate: Double(place)),
                        boxOffice: place == 1 ? 60_611_975 : 0, studio: nil)
                }
                static func main() async {
                    \(calls.joined(separator: "\n"))
                }
            }
            """
    }

    /// The output of each example, taken from the output of the program.
    static func printed(_ output: String, count: Int) -> [[String]] {
        var printed = [[String]](repeating: [], count: count)
        var current: Int?
        for line in output.split(separator: "\n").map(String.init) {
            if line.hasPrefix("== "), let number = Int(line.dropFirst(3)) {
                current = number
            } else if let current {
                printed[current].append(line)
            }
        }
        return printed
    }
}
