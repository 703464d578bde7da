import Foundation
import Signals
import SignalsLaws
import SignalsTesting

typealias Source = Signal<LawValue, LawFailure>
typealias End = Sink<LawValue, LawFailure>

/// Operators that claim to pass everything on, each broken in one way.
enum BrokenOperators {
    /// What each law must catch: the clause that it must name, and an operator that breaks it.
    static let all: [(law: String, clause: String, make: @Sendable (Source) -> Source)] = [
        ("nothing before demand", "S3", { impatient($0) }), ("cold", "S2", { remembering($0) }),
        ("every value", "S8", { skipping($0) }), ("one at a time", "S17", { swallowing($0) }),
        ("end without demand", "S11", { endingOnDemand($0) }), ("failure", "S10", { hushing($0) }),
        ("accepted before the end", "S12", { forgetful($0) }), ("requests add up", "S15", { modest($0) }),
        ("request inside", "S24", { nesting($0) }), ("cancel inside", "S31", { finishingAnyway($0) }),
        ("cancel at the upstream", "S5", { asking($0) }), ("cancel overtakes", "S32", { deaf($0) }),
        ("cancel twice", "S29", { undead($0) }), ("faulty source", "S10", { endingTwice($0) }),
        ("send inside", "S26", { skipping($0) }), ("releases", "S34", { hoarding($0) }),
        ("one teardown", "S6", { cancellingAgain($0) }),
        ("no lock", "S28", { locking($0) }),
        ("random", "S17", { ignoringAnswers($0) }), ("threads", "S14", { doubling($0) }),
    ]

    /// Delivers as soon as it has a sink.
    static func impatient(_ upstream: Source) -> Source {
        upstream.lift { next in
            Sink(
                onUpstream: {
                    next.receive(upstream: $0)
                    _ = next.receive(0)
                }, onValue: { next.receive($0) }, onCompletion: { next.receive(completion: $0) })
        }
    }

    /// Leaves out values that another run has seen.
    static func remembering(_ upstream: Source) -> Source {
        let seen = Lock<Set<Int>>([])
        return upstream.filter { value in seen.withLock { $0.insert(value.number).inserted } }
    }

    /// Leaves out the fifth.
    static func skipping(_ upstream: Source) -> Source { upstream.filter { $0.number != 5 } }

    /// Drops every second value and does not ask for another.
    static func swallowing(_ upstream: Source) -> Source {
        upstream.lift { next in
            Sink(passingTo: next, onValue: { $0.number.isMultiple(of: 2) ? .none : next.receive($0) })
        }
    }

    /// Finishes only when asked for something.
    static func endingOnDemand(_ upstream: Source) -> Source {
        upstream.materialize().dematerialize()
    }

    /// Makes a finish of a failure.
    static func hushing(_ upstream: Source) -> Source { upstream.catch { _ in Source.empty() } }

    /// Keeps values that were not asked for, and drops them at the end.
    static func forgetful(_ upstream: Source) -> Source { queueing(upstream, dropsAtEnd: true, nests: false) }

    /// Answers a request from inside a delivery with a delivery.
    static func nesting(_ upstream: Source) -> Source { queueing(upstream, dropsAtEnd: false, nests: true) }

    /// Takes any large demand for five.
    static func modest(_ upstream: Source) -> Source {
        upstream.lift { next in
            Sink(
                onUpstream: { source in
                    next.receive(
                        upstream: Upstream(
                            request: { source.request(.max(min(5, $0.limit ?? 5))) }, cancel: { source.cancel() }))
                }, onValue: { next.receive($0) }, onCompletion: { next.receive(completion: $0) })
        }
    }

    /// Finishes after the third value, although its sink may have cancelled inside it.
    static func finishingAnyway(_ upstream: Source) -> Source {
        upstream.lift { next in
            Sink(
                passingTo: next,
                onValue: { value in
                    let more = next.receive(value)
                    if value.number == 10 { next.receive(completion: .finished) }
                    return more
                })
        }
    }

    /// Asks for a value of its own accord.
    static func asking(_ upstream: Source) -> Source {
        upstream.lift { next in
            Sink(
                onUpstream: {
                    next.receive(upstream: $0)
                    $0.request(.max(1))
                }, onValue: { next.receive($0) }, onCompletion: { next.receive(completion: $0) })
        }
    }

    /// Stops delivering when it is cancelled, but does not tell its upstream.
    static func deaf(_ upstream: Source) -> Source {
        upstream.lift { next in
            let isCancelled = Lock(false)
            return Sink(
                onUpstream: { source in
                    next.receive(
                        upstream: Upstream(
                            request: { source.request($0) }, cancel: { isCancelled.withLock { $0 = true } }))
                },
                onValue: { isCancelled.withLock { $0 } ? .none : next.receive($0) },
                onCompletion: { if !isCancelled.withLock({ $0 }) { next.receive(completion: $0) } })
        }
    }

    /// Answers a request after it has been cancelled.
    static func undead(_ upstream: Source) -> Source {
        upstream.lift { next in
            let isCancelled = Lock(false)
            return Sink(
                onUpstream: { source in
                    next.receive(
                        upstream: Upstream(
                            request: { asked in
                                if isCancelled.withLock({ $0 }) { _ = next.receive(0) } else { source.request(asked) }
                            },
                            cancel: {
                                isCancelled.withLock { $0 = true }
                                source.cancel()
                            }))
                }, onValue: { next.receive($0) }, onCompletion: { next.receive(completion: $0) })
        }
    }

    /// Passes its end on twice.
    static func endingTwice(_ upstream: Source) -> Source {
        upstream.lift { next in
            Sink(
                passingTo: next, onValue: { next.receive($0) },
                onCompletion: {
                    next.receive(completion: $0)
                    next.receive(completion: $0)
                })
        }
    }

    /// Answers the end of its upstream with a cancel.
    static func cancellingAgain(_ upstream: Source) -> Source {
        upstream.lift { next in
            let kept = Lock<Upstream?>(nil)
            return Sink(
                onUpstream: { source in
                    kept.withLock { $0 = source }
                    next.receive(upstream: source)
                }, onValue: { next.receive($0) },
                onCompletion: {
                    kept.withLock { $0.take() }?.cancel()
                    next.receive(completion: $0)
                })
        }
    }

    /// Says that it has finished when it is cancelled, after its end too.
    static func finishingAtCancel(_ upstream: Source) -> Source {
        upstream.lift { next in
            Sink(
                onUpstream: { source in
                    next.receive(
                        upstream: Upstream(
                            request: { source.request($0) },
                            cancel: {
                                source.cancel()
                                next.receive(completion: .finished)
                            }))
                }, onValue: { next.receive($0) }, onCompletion: { next.receive(completion: $0) })
        }
    }

    /// Delivers under the lock that guards its demand.
    static func locking(_ upstream: Source) -> Source {
        upstream.lift { next in
            // Recursive, or what re-enters would hang for ever, and so would its law.
            let lock = NSRecursiveLock()
            return Sink(
                onUpstream: { source in
                    next.receive(
                        upstream: Upstream(
                            request: { asked in
                                lock.withLock {}
                                source.request(asked)
                            }, cancel: { source.cancel() }))
                }, onValue: { value in lock.withLock { next.receive(value) } },
                onCompletion: { next.receive(completion: $0) })
        }
    }

    /// Keeps every value for ever.
    static func hoarding(_ upstream: Source) -> Source {
        let hoard = Lock<[LawValue]>([])
        return upstream.handleEvents(onValue: { value in hoard.withLock { $0.append(value) } })
    }

    /// Keeps its upstream when its run is over.
    static func keepingItsUpstream(_ upstream: Source) -> Source {
        upstream.lift { next in
            let kept = Lock<Upstream?>(nil)
            return Sink(
                onUpstream: { source in
                    kept.withLock { $0 = source }
                    next.receive(upstream: source)
                },
                onValue: { value in withExtendedLifetime(kept) { next.receive(value) } },
                onCompletion: { next.receive(completion: $0) })
        }
    }

    /// Does not pass on the demand that its sink answers with.
    static func ignoringAnswers(_ upstream: Source) -> Source {
        upstream.lift { next in
            Sink(
                passingTo: next,
                onValue: {
                    _ = next.receive($0)
                    return .none
                })
        }
    }

    /// Delivers each value twice.
    static func doubling(_ upstream: Source) -> Source {
        upstream.lift { next in
            Sink(passingTo: next, onValue: { next.receive($0) + next.receive($0) })
        }
    }

    /// A buffer without a drain: whoever asks delivers, wherever that is.
    private static func queueing(_ upstream: Source, dropsAtEnd: Bool, nests: Bool) -> Source {
        upstream.lift { next in
            let queue = BareQueue(next, dropsAtEnd: dropsAtEnd, nests: nests)
            return Sink(
                onUpstream: { source in
                    next.receive(upstream: Upstream(request: { queue.request($0) }, cancel: { source.cancel() }))
                    source.request(.unlimited)
                },
                onValue: {
                    queue.receive($0)
                    return .none
                },
                onCompletion: { queue.end($0) })
        }
    }
}
