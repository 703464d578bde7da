#if Serve
    import Dispatch
    import Foundation
    import PlaygroundKit
    import Serving
    import SignalRepository

    extension PageServer {
        /// Everything that a tab shows, in one stream, because a browser opens only six connections to a host.
        ///
        /// Each value has its own live query. A query that is the same in every tab is followed once.
        func liveEvents(of view: FilmView) -> Signal<PageEvent, Never> {
            let queries = [
                follow(.films, repository.listSubscription(view.query), Self.films),
                follow(.found, repository.countSubscription(Film.self) { _ in view.condition }) { String($0) },
                follow(.totals, repository.fetchSubscription(Self.totals), Self.totals),
                follow(.studios, repository.fetchSubscription(Self.studios), Self.studios),
            ]
            let others = [
                imports.progress.map { PageEvent(.imports, $0.json) },
                statements.latest.map { PageEvent(.statements, JSONText.line($0.map(\.json))) },
                statistics.map { PageEvent(.statistics, $0.members) },
            ]
            return Signal.merge(queries + others).prepend(PageEvent(.store, JSONText.string(storeName)))
        }

        /// Follows a query, and after a failure follows it again at the next commit.
        ///
        /// An event reports the failure, and the page goes on showing the other values.
        private func follow<Value: Sendable>(
            _ name: PageEvent.Name, _ values: Signal<Value, RepositoryError>,
            _ json: @escaping @Sendable (Value) -> String
        ) -> Signal<PageEvent, Never> {
            let told = values.map { PageEvent(name, json($0)) }.catch { error -> Signal<PageEvent, RepositoryError> in
                let members: KeyValuePairs = [
                    "of": JSONText.string(name.rawValue), "message": JSONText.string(FailureAnswers.sentence(error)),
                ]
                return .just(PageEvent(.failure, members)).append(.fail(error))
            }
            return told.retried(at: commits).catch { _ in .never() }
        }

        /// The statistics of the live queries, read now and at each of `times`; all tabs share the signal.
        static func statistics(
            at times: Signal<Int, Never>, _ read: @escaping @Sendable () -> LiveStatistics
        ) -> Signal<LiveStatistics, Never> {
            times.prepend(0).map { _ in read() }.removeDuplicates().share(replay: 1)
        }

        /// The changes since the state that was sent before.
        ///
        /// `without` holds the positions to remove, the last one first; `with` holds the films to insert afterwards,
        /// with their positions, the first one first.
        private static func films(_ update: ListUpdate<Film>) -> String {
            let changes = update.changes
            let without = changes.removals.reversed().compactMap { change in
                if case .remove(let offset, _, _) = change { String(offset) } else { nil }
            }
            let with = changes.insertions.compactMap { change in
                if case .insert(let offset, let film, _) = change {
                    JSONText.object([("at", String(offset)), ("film", film.pageJSON)])
                } else {
                    nil
                }
            }
            return JSONText.object([
                ("isWhole", update.before.isEmpty ? "true" : "false"), ("without", JSONText.line(without)),
                ("with", JSONText.line(with)),
            ])
        }

        /// One query for both figures, so that they belong to the same commit.
        private static var totals: SelectQuery<(Int, Decimal)> {
            Film.all.aggregate { ($0.id.count(), $0.boxOffice.sum()) }
        }

        private static func totals(_ rows: [(Int, Decimal)]) -> String {
            let (count, sum) = rows.first ?? (0, 0)
            return JSONText.object([("count", String(count)), ("sum", JSONText.string(Amount.text(sum)))])
        }

        /// The studios with the largest sums, as many as the page has room for.
        private static var studios: SelectQuery<(String?, Int, Decimal)> {
            Film.all.grouped { $0.studio }.sorted(.descending) { $0.boxOffice.sum() }.limit(12)
                .aggregate { ($0.id.count(), $0.boxOffice.sum()) }
        }

        private static func studios(_ rows: [(String?, Int, Decimal)]) -> String {
            JSONText.line(
                rows.map { studio, count, sum in
                    JSONText.object([
                        ("studio", JSONText.string(studio)), ("count", String(count)),
                        ("sum", JSONText.string(Amount.text(sum))),
                    ])
                })
        }
    }

    extension LiveStatistics {
        /// The figures that the page shows.
        fileprivate var members: KeyValuePairs<String, String> {
            [
                "subscriptions": String(subscriptions), "queries": String(queries), "firstReads": String(firstReads),
                "matched": String(matched), "updated": String(updatedInPlace), "rereadByKey": String(rereadByKey),
                "refilled": String(refilled), "reread": String(reread), "changedRows": String(changedRows),
            ]
        }
    }
#endif
