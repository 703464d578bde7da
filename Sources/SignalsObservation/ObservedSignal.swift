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
/// The object attaches to its signal when it is created, and cancels when it is released. If the signal delivers during
/// the attach, as a repository's signal does with `immediately()`, `value` is set from the beginning, so the view never
/// draws without a value.
///
/// - Delivery: the properties change on the main actor, with each value, as with `mainActorSink`.
/// - Failure: stored in `failure`; `value` keeps the last value.
@MainActor
@Observable
public final class ObservedSignal<Value: Sendable, Failure: Error> {
    /// The latest value, or `nil` if there is no value yet.
    public private(set) var value: Value?
    /// The completion of the signal; `nil` before its end.
    public private(set) var completion: Completion<Failure>?
    /// The failure that has ended the signal, or `nil`.
    public var failure: Failure? { if case .failure(let failure)? = completion { failure } else { nil } }
    /// Whether the object has neither a value nor a completion.
    public var isLoading: Bool { value == nil && completion == nil }

    @ObservationIgnored private var token: SignalToken?

    /// Attaches to a signal; until the signal delivers, the property `value` has the value passed as `initially`.
    public init(_ signal: Signal<Value, Failure>, initially value: Value? = nil) {
        self.value = value
        token = signal.mainActorSink { [weak self] in
            self?.value = $0
        } onCompletion: { [weak self] in
            self?.completion = $0
        }
    }
}
