/// A small fault that is put into the sources, to see whether a test finds it.
struct Mutant: Codable, Equatable, Sendable {
    enum Kind: String, Codable, CaseIterable, Sendable {
        case negated, bound, number, exchanged, flipped, leftOut, released, returned, swapped, terminal, unlocked

        var summary: String {
            switch self {
            case .negated: "a condition negated"
            case .bound: "a bound off by one"
            case .number: "a number off by one"
            case .exchanged: "&& and || exchanged"
            case .flipped: "true and false exchanged"
            case .leftOut: "a statement left out"
            case .released: "a cancel or a release left out"
            case .returned: "an early return, throw, break or continue left out"
            case .swapped: "two neighbouring statements exchanged, or an order reversed"
            case .terminal: "a failure turned into a normal end"
            case .unlocked: "a lock not taken"
            }
        }
    }

    /// The value of the switch that turns it on, from 1.
    var number: Int
    /// The path of the source, relative to the package.
    let file: String
    let line: Int
    let kind: Kind
    /// The line of the source, without and with the mutant.
    let before: String
    let after: String
    /// How many earlier mutants of its file read the same.
    var occurrence: Int

    /// An identifier that stays the same when lines move and other mutants are added.
    var key: String { [file, before, after, String(occurrence)].joined(separator: "\t") }

    /// The first two folders of its source below `Sources/`, such as `Signals/Internal`.
    var room: String {
        let parts = file.split(separator: "/").dropFirst().dropLast()
        return parts.prefix(2).joined(separator: "/")
    }

    var module: String { String(file.split(separator: "/").dropFirst().first ?? "") }

    var place: String { "\(file):\(line)" }
}
