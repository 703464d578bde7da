import Foundation
import Signals
import SignalsLaws
import SignalsTesting

typealias Source = Signal<LawValue, LawFailure>
typealias End = Sink<LawValue, LawFailure>

/// Operators that claim to pass everything on, each broken in one way.
enum BrokenOperators {
    /// For each law, the clause that it must report, and an operator that breaks it.
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

    /// Leaves out the value 5.
    static func skipping(_ upstream: Source) -> Source { upstream.filter { $0.number != 5 } }

    /// Drops every second value, and does not request another.
    static func swallowing(_ upstream: Source) -> Source {
        upstream.lift { next in
            Sink(passingTo: next, onValue: { $0.number.isMultiple(of: 2) ? .none : next.receive($0) })
        }
    }

    /// Finishes only after a request.
    static func endingOnDemand(_ upstream: Source) -> Source {
        upstream.materialize().dematerialize()
    }

    /// Turns a failure into a finish.
    static func hushing(_ upstream: Source) -> Source { upstream.catch { _ in Source.empty() } }

    /// Buffers values that were not requested, and drops them at the end.
    static func forgetful(_ upstream: Source) -> Source { queueing(upstream, dropsAtEnd: true, nests: false) }

    /// Delivers inside a request that is made inside a delivery.
    static func nesting(_ upstream: Source) -> Source { queueing(upstream, dropsAtEnd: false, nests: true) }

    /// Reduces any larger demand to five.
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

    /// Finishes after the value 10, although its sink may have cancelled inside it.
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

    /// Requests a value that its sink has not requested.
    static func asking(_ upstream: Source) -> Source {
        upstream.lift { next in
            Sink(
                onUpstream: {
                    next.receive(upstream: $0)
                    $0.request(.max(1))
                }, onValue: { next.receive($0) }, onCompletion: { next.receive(completion: $0) })
        }
    }

    /// Stops delivering when it is cancelled, but does not cancel its upstream.
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

    /// Delivers a value for a request after a cancel.
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

    /// Delivers its end twice.
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

    /// Cancels its upstream when that ends.
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

    /// Finishes when it is cancelled, even after its end.
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
            // Recursive: otherwise, a re-entrant call would hang forever, and with it the law.
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

    /// Retains every value.
    static func hoarding(_ upstream: Source) -> Source {
        let hoard = Lock<[LawValue]>([])
        return upstream.handleEvents(onValue: { value in hoard.withLock { $0.append(value) } })
    }

    /// Retains its upstream after the end of the run.
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

    /// Does not pass on the demand that its sink returns.
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

    /// Buffers without a drain: each call delivers on its own thread.
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
