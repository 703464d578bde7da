/// What a run found out, as text for a terminal and as a document.
struct Report {
    struct Room: Equatable {
        let name: String
        var drawn = 0
        var killed = 0
        var equivalent = 0

        var left: Int { drawn - killed - equivalent }

        /// Of those that can be killed.
        var rate: String {
            let able = drawn - equivalent
            return able == 0 ? "–" : "\((killed * 1_000 / able + 5) / 10) %"
        }
    }

    let rooms: [Room]
    /// Those that lived, and those of them that are equivalent, each with the reason.
    let survivors: [(mutant: Mutant, verdict: Verdict)]
    let equivalent: [(mutant: Mutant, sentence: String)]

    init(_ judged: [(mutant: Mutant, verdict: Verdict)], _ equivalents: Equivalents) {
        var rooms: [String: Room] = [:]
        var survivors: [(Mutant, Verdict)] = []
        var equivalent: [(Mutant, String)] = []
        for (mutant, verdict) in judged.sorted(by: { $0.mutant.number < $1.mutant.number }) {
            var room = rooms[mutant.room] ?? Room(name: mutant.room)
            room.drawn += 1
            if verdict.isKilled {
                room.killed += 1
            } else if let sentence = equivalents.sentence(for: mutant) {
                room.equivalent += 1
                equivalent.append((mutant, sentence))
            } else {
                survivors.append((mutant, verdict))
            }
            rooms[mutant.room] = room
        }
        self.rooms = rooms.values.sorted { $0.name < $1.name }
        self.survivors = survivors
        self.equivalent = equivalent
    }

    var total: Room {
        rooms.reduce(into: Room(name: "all")) { all, room in
            all.drawn += room.drawn
            all.killed += room.killed
            all.equivalent += room.equivalent
        }
    }

    /// The survivors, and the rate by room.
    var text: String {
        let lives = survivors.map { "\($0.mutant.text)\n    \($0.verdict)" }
        let lines = (rooms + [total]).map { room in
            "\(room.name): \(room.killed) of \(room.drawn) killed, \(room.equivalent) equivalent, "
                + "\(room.left) left (\(room.rate))"
        }
        return (lives + lines).joined(separator: "\n")
    }

    /// The document; `heading` says where its figures come from.
    func document(_ heading: String) -> String {
        let rows = (rooms + [total]).map {
            "| \($0.name) | \($0.drawn) | \($0.killed) | \($0.equivalent) | \($0.left) | \($0.rate) |"
        }
        var lines = ["# Mutants", "", heading, ""]
        lines += ["| room | judged | killed | equivalent | left | killed of those that can be |"]
        lines += ["|---|--:|--:|--:|--:|--:|"] + rows
        lines += ["", "## Equivalent", "", "Each of these changes nothing that a test could see."] + [""]
        lines += equivalent.flatMap { ["- " + $0.mutant.markdown, "  \($0.sentence)"] }
        lines += ["", "## Left", ""]
        lines += survivors.isEmpty ? ["None."] : survivors.map { "- \($0.mutant.markdown) \($0.verdict)." }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension Mutant {
    var text: String { "\(number) \(place): \(kind.summary)\n  - \(before)\n  + \(after)" }

    fileprivate var markdown: String {
        "\(file.dropFirst("Sources/".count)): `` \(before) `` → `` \(after) ``."
    }
}
