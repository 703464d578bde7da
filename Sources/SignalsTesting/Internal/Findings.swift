/// What a law has found so far.
struct Findings {
    private(set) var breaches: [Breach] = []

    /// Notes a breach of a clause unless the condition holds.
    mutating func expect(_ condition: Bool, _ clause: String, _ detail: @autoclosure () -> String) {
        if !condition { breaches.append(Breach(clause, detail())) }
    }

    /// Adds what others found.
    mutating func add(_ more: [Breach]) { breaches += more }

    /// The findings, each signed by the law that made it.
    func signed(by law: String, seed: UInt64? = nil) -> [Breach] {
        breaches.map { breach in
            var signed = breach
            signed.law = law
            signed.seed = breach.seed ?? seed
            return signed
        }
    }
}

extension Collection where Element: Equatable {
    /// Whether these elements occur in this order in another collection.
    func isSubsequence(of other: some Collection<Element>) -> Bool {
        var rest = other[...]
        for element in self {
            guard let index = rest.firstIndex(of: element) else { return false }
            rest = rest[rest.index(after: index)...]
        }
        return true
    }
}
