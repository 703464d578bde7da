/// One line of the table: the same work on the same input, in up to three forms.
struct Row {
    /// The name that `--only` takes, such as `stream.fused`.
    let id: String
    /// The work of one run, in a few words.
    let work: String
    /// How many operations one run does; the table's figures are per operation.
    let operations: Int
    /// The unit of the measurement.
    var unit = Unit.seconds
    /// The limits that the row must meet.
    var bars: [Bar] = []
    /// The lower bound: a plain loop, or the C API of SQLite or libpq.
    var raw: Form?
    /// The work done with this repository's libraries.
    var ours: Form
    /// The work done with the library that a user would otherwise choose.
    var peer: Form?
    /// Whether an additional first round warms up and is not measured.
    var warmsUp = true

    /// A unit of measurement.
    enum Unit {
        case seconds
        case allocations
        case bytes
    }
}

extension Row {
    /// The forms by the names that `--measure` takes.
    var forms: [(name: String, form: Form)] {
        [("raw", raw), ("ours", ours), ("peer", peer)].compactMap { name, form in form.map { ("\(id):\(name)", $0) } }
    }
}

/// One way to do a row's work.
struct Form {
    /// The library that does it.
    let name: String
    /// How many times one round runs it, so that short work can be timed; a round's figure is the mean.
    let repeats: Int
    /// Does the work, measures the part that counts, and returns a checksum of the result.
    let run: (inout Meter) throws -> Int

    init(_ name: String, repeats: Int = 1, run: @escaping (inout Meter) throws -> Int) {
        self.name = name
        self.repeats = repeats
        self.run = run
    }

    /// Runs one round.
    func measure(_ clock: Meter.Clock) throws -> (amount: Double, checksum: Int) {
        var meter = Meter(clock: clock)
        var checksum = 0
        for _ in 0..<repeats { checksum = try run(&meter) }
        return (meter.amount / Double(repeats), checksum)
    }

    /// A form whose whole work is measured in seconds.
    static func timed(_ name: String, repeats: Int = 1, _ work: @escaping () throws -> Int) -> Form {
        Form(name, repeats: repeats) { meter in try meter.time(work) }
    }
}
