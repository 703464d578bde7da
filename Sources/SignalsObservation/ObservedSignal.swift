public import Observation
public import Signals

/// The latest value of a signal as an `@Observable` object, for views.
///
/// ```swift
/// import SignalsObservation
///
/// @MainActor
/// func follow(_ store: SQLiteRepository) throws {
///     let count = ObservedSignal(store.countSubscription(Movie.self).immediately())
///     print(count.value ?? -1, count.isLoading)  // 0 false
/// }
/// ```
/// It attaches when it is created, and cancels when it is released. If the signal delivers during the attach, as one of
/// a repository does with `immediately()`, `value` is set from the beginning: the view never draws without it.
///
/// - Delivery: the properties change on the main actor, with each value, as by `mainActorSink`.
/// - Failure: in `failure`; the last value stays.
@MainActor
@Observable
public final class ObservedSignal<Value: Sendable, Failure: Error> {
    /// The latest value; `nil` before the first one.
    public private(set) var value: Value?
    /// How the signal has ended; `nil` before its end.
    public private(set) var completion: Completion<Failure>?
    /// The failure that has ended the signal.
    public var failure: Failure? { if case .failure(let failure)? = completion { failure } else { nil } }
    /// Whether there is neither a value nor an end yet.
    public var isLoading: Bool { value == nil && completion == nil }

    @ObservationIgnored private var token: SignalToken?

    /// Attaches to a signal; `value` is the value until the signal delivers one.
    public init(_ signal: Signal<Value, Failure>, initially value: Value? = nil) {
        self.value = value
        token = signal.mainActorSink { [weak self] in
            self?.value = $0
        } onCompletion: { [weak self] in
            self?.completion = $0
        }
    }
}
