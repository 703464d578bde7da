/// The measured rounds of all forms of one row.
struct Report {
    let row: Row
    let ours: Sample
    let raw: Sample?
    let peer: Sample?

    /// The widest spread among the forms.
    var spread: Double {
        [raw, ours, peer].compactMap { $0?.spread }.max() ?? 0
    }
}

/// The measured rounds of one form.
struct Sample {
    private let sorted: [Double]

    init(_ rounds: [Double]) {
        sorted = rounds.sorted()
    }

    /// The median round.
    var median: Double { quantile(0.5) }

    /// The width of the middle half of the rounds, as a fraction of the median.
    var spread: Double {
        median > 0 ? (quantile(0.75) - quantile(0.25)) / median : 0
    }

    private func quantile(_ part: Double) -> Double {
        guard let last = sorted.indices.last else { return 0 }
        let place = part * Double(last)
        let below = sorted[Int(place)]
        let above = sorted[min(Int(place) + 1, last)]
        return below + (above - below) * (place - place.rounded(.down))
    }
}
