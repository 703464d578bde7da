/// Runs the forms of a row in turn, each in a process of its own, so that whatever else the machine does falls on all
/// of them alike.
struct Runner {
    /// How many rounds count; one more, the first, only warms up if the row says so.
    let rounds: Int
    /// What the rounds are measured in.
    let clock: Meter.Clock
    /// What else the forms' processes have to be told.
    var options: [String] = []

    /// Runs the row and compares what the forms computed.
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
