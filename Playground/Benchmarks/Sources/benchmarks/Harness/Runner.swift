/// Runs the forms of a row in turn, each in its own process, so that other load on the machine affects all of them
/// alike.
struct Runner {
    /// How many rounds are measured, after a warm-up round if the row has one.
    let rounds: Int
    /// The clock that measures the rounds.
    let clock: Meter.Clock
    /// Further options on the command lines of the forms' processes.
    var options: [String] = []

    /// Runs the row and compares the checksums of the forms.
    func run(_ row: Row) throws -> Report {
        let forms = row.forms
        let processes = try forms.map { try FormProcess($0.name, clock: clock, options: options) }
        var measured = forms.map { _ in [Double]() }
        var expected: (name: String, checksum: Int)?
        for round in (row.warmsUp ? 0 : 1)...rounds {
            for turn in forms.indices {
                let index = (turn + round) % forms.count
                let (amount, checksum) = try processes[index].round(forms[index].name)
                let name = forms[index].form.name
                if let expected, expected.checksum != checksum {
                    throw ChecksumMismatch(row: row.id, forms: [expected.name, name])
                }
                expected = (name, checksum)
                if round > 0 { measured[index].append(amount) }
            }
        }
        var samples = measured.map(Sample.init)
        let raw = row.raw == nil ? nil : samples.removeFirst()
        return Report(row: row, ours: samples[0], raw: raw, peer: row.peer == nil ? nil : samples[1])
    }
}

/// Two forms of a row computed different things, so their times must not be compared.
struct ChecksumMismatch: Error, CustomStringConvertible {
    let row: String
    let forms: [String]

    var description: String {
        "\(row): \(forms.joined(separator: " and ")) computed different results"
    }
}
