@testable import RepositoryCore
@testable import SignalRepository

/// The contents of a store, rebuilt from the change sets of a history.
struct HistoryChanges {
    private let sets: [ChangeSet]

    init(_ sets: [ChangeSet]) {
        self.sets = sets
    }

    /// The faults of the change sets, applied in order to an empty store.
    func faults(_ log: HistoryLog) throws -> [String] {
        var pieces: [Int: Piece] = [:]
        var ratings: [Int: Rating] = [:]
        var terms: [ExactText: Entry] = [:]
        var faults: [String] = []
        for changes in sets {
            for piece in try changes.deleted(of: Piece.self) { pieces[piece.id] = nil }
            for rating in try changes.deleted(of: Rating.self) { ratings[rating.id] = nil }
            for term in try changes.deleted(of: Entry.self) { terms[ExactText(term.id)] = nil }
            for term in try changes.inserted(of: Entry.self) { terms[ExactText(term.id)] = term }
            for update in try changes.updated(of: Entry.self) { terms[ExactText(update.new.id)] = update.new }
            for piece in try changes.inserted(of: Piece.self) { pieces[piece.id] = piece }
            for rating in try changes.inserted(of: Rating.self) { ratings[rating.id] = rating }
            for update in try changes.updated(of: Piece.self) { pieces[update.new.id] = update.new }
            for update in try changes.updated(of: Rating.self) { ratings[update.new.id] = update.new }
            let isRight =
                log.state(at: changes.commit).map { state in
                    pieces.values.sorted { $0.id < $1.id }.isStored(like: state.pieces)
                        && ratings.values.sorted { $0.id < $1.id } == state.ratings
                        && terms.values.sorted { ExactText($0.id) < ExactText($1.id) }.isStored(like: state.terms)
                } ?? false
            if !isRight { faults.append("The change sets up to commit \(changes.commit) do not make its state") }
        }
        return faults
    }
}
