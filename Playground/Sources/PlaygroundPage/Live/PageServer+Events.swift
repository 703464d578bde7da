#if Serve
    import Dispatch
    import Foundation
    import PlaygroundKit
    import Serving
    import SignalRepository
    import Signals

    extension PageServer {
        /// Everything that a tab shows, in one stream: browsers open six connections to a host, and a tab takes one.
        ///
        /// Each value is a live query of its own. Those that are the same in every tab are followed once.
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

        /// Follows a query, and again once a commit may have mended it.
        ///
        /// When it fails, an event reports that, and the page goes on showing the others.
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

        /// The figures of the live engine at some times, which all tabs share.
        static func statistics(
            at times: Signal<Int, Never>, _ read: @escaping @Sendable () -> LiveStatistics
        ) -> Signal<LiveStatistics, Never> {
            times.prepend(0).map { _ in read() }.removeDuplicates().share(replay: 1)
        }

        /// What has changed since the state sent before: `without` are positions to take out, the last one first, and
        /// `with` what to put where afterwards, the first one first.
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

        /// One query, so that both figures are of the same commit.
        private static var totals: SelectQuery<(Int, Decimal)> {
            Film.all.aggregate { ($0.id.count(), $0.boxOffice.sum()) }
        }

        private static func totals(_ rows: [(Int, Decimal)]) -> String {
            let (count, sum) = rows.first ?? (0, 0)
            return JSONText.object([("count", String(count)), ("sum", JSONText.string(Amount.text(sum)))])
        }

        /// The studios that made the most, as many as there is room for.
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
        /// What the page shows of it.
        fileprivate var members: KeyValuePairs<String, String> {
            [
                "subscriptions": String(subscriptions), "queries": String(queries), "firstReads": String(firstReads),
                "matched": String(matched), "patched": String(patched), "keyed": String(keyed),
                "refilled": String(refilled), "reread": String(reread), "changedRows": String(changedRows),
            ]
        }
    }
#endif
