/// The result of a run, as text for a terminal and as a table for the page about mutants.
struct Report {
    struct Room: Equatable {
        let name: String
        var drawn = 0
        var killed = 0
        var equivalent = 0

        var left: Int { drawn - killed - equivalent }

        /// The killed share of the mutants that can be killed.
        var rate: String {
            let able = drawn - equivalent
            return able == 0 ? "–" : "\((killed * 1_000 / able + 5) / 10) %"
        }
    }

    let rooms: [Room]
    /// The mutants that no test killed, without the equivalent ones.
    let survivors: [(mutant: Mutant, verdict: Verdict)]

    init(_ judged: [(mutant: Mutant, verdict: Verdict)], _ equivalents: Equivalents) {
        var rooms: [String: Room] = [:]
        var survivors: [(Mutant, Verdict)] = []
        for (mutant, verdict) in judged.sorted(by: { $0.mutant.number < $1.mutant.number }) {
            var room = rooms[mutant.room] ?? Room(name: mutant.room)
            room.drawn += 1
            if verdict.isKilled {
                room.killed += 1
            } else if equivalents.sentence(for: mutant) != nil {
                room.equivalent += 1
            } else {
                survivors.append((mutant, verdict))
            }
            rooms[mutant.room] = room
        }
        self.rooms = rooms.values.sorted { $0.name < $1.name }
        self.survivors = survivors
    }

    var total: Room { Self.sum(of: rooms, named: "all") }

    private static func sum(of rooms: [Room], named name: String) -> Room {
        rooms.reduce(into: Room(name: name)) { sum, room in
            sum.drawn += room.drawn
            sum.killed += room.killed
            sum.equivalent += room.equivalent
        }
    }

    /// The survivors, and the rate by folder.
    var text: String {
        let lives = survivors.map { "\($0.mutant.text)\n    \($0.verdict)" }
        let lines = (rooms + [total]).map { room in
            "\(room.name): \(room.killed) of \(room.drawn) killed, \(room.equivalent) equivalent, "
                + "\(room.left) left (\(room.rate))"
        }
        return (lives + lines).joined(separator: "\n")
    }

    /// Returns the page with this result, by module, in place of its last section; `heading` introduces the table.
    func replacingResult(of page: String, heading: String) throws -> String {
        guard let title = page.firstRange(of: "## Latest result\n") else {
            throw MutantsError("Documentation/Mutants.md needs the section \"## Latest result\"")
        }
        let modules = Dictionary(grouping: rooms) { $0.name.prefix { $0 != "/" } }
            .map { name, rooms in Self.sum(of: rooms, named: "`\(name)`") }.sorted { $0.name < $1.name }
        let rows = (modules + [total]).map {
            "| \($0.name) | \($0.drawn) | \($0.killed) | \($0.equivalent) | \($0.left) | \($0.rate) |\n"
        }
        return """
            \(page[..<title.upperBound])
            \(heading)

            | Module | Judged | Killed | Equivalent | Survived | Killed, without the equivalent ones |
            |---|--:|--:|--:|--:|--:|
            \(rows.joined())
            """
    }
}

extension Mutant {
    var text: String { "\(number) \(place): \(kind.summary)\n  - \(before)\n  + \(after)" }
}
