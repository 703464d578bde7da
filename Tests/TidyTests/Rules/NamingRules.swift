/// No public type has a name that other common modules use, because an import would make it ambiguous.
enum NamingRules {
    static func publicNames(_ source: SwiftSource) -> [Violation] {
        source.outline.declarations
            .filter { types.contains($0.keyword) && $0.container.isEmpty && $0.isPublic }
            .compactMap { declaration in
                guard let owner = taken[declaration.name], accepted[declaration.name] == nil else { return nil }
                let sentence = "`\(declaration.name)` is already a name of \(owner)."
                return Violation(path: source.path, line: declaration.line, sentence: sentence)
            }
    }

    /// Names that are taken and used anyway, each with its reason.
    static let accepted = [
        "Schema": "the field's own word; it meets SwiftData's only in a file that imports both stores"
    ]

    private static let types: Set = ["struct", "class", "enum", "protocol", "actor", "typealias"]

    private static let taken: [String: String] = owners.reduce(into: [:]) { names, owner in
        for name in owner.names.split(whereSeparator: \.isWhitespace) { names[String(name)] = owner.module }
    }

    private static let owners: [(module: String, names: String)] = [
        (
            "this package's modules",
            "Signals SignalsLaws SignalsTesting SignalRepository SignalRepositoryTesting CSQLite"
        ),
        (
            "the platform's modules",
            """
            Foundation Dispatch Combine SwiftUI SwiftData Observation Synchronization Testing XCTest CoreData
            OpenCombine Distributed RegexBuilder Charts Network System Logging
            """
        ),
        (
            "the standard library",
            """
            Any AnyHashable AnyObject AnyKeyPath AnySequence AnyCollection AnyIterator Array ArraySlice AsyncSequence
            AsyncIteratorProtocol AsyncStream AsyncThrowingStream Atomic AtomicLazyReference Bool Character Clock
            ClosedRange CodingKey Codable CollectionDifference Collection Comparable ContiguousArray ContinuousClock
            Copyable CustomStringConvertible Decodable Decoder Dictionary Double Duration EmptyCollection Encodable
            Encoder Equatable Error Escapable Executor Float FloatingPoint Global GlobalActor Hashable Hasher
            Identifiable InlineArray InstantProtocol Int Int8 Int16 Int32 Int64 IteratorProtocol JoinedSequence KeyPath
            KeyValuePairs LazySequence LosslessStringConvertible MainActor ManagedBuffer MemoryLayout Mirror Mutex Never
            Numeric ObjectIdentifier OpaquePointer Optional OptionSet PartialKeyPath Range RangeExpression
            RawRepresentable Regex Repeated ReversedCollection Result Sendable Sequence Set SetAlgebra SIMD Slice Span
            StaticString Strideable String Substring SuspendingClock Task TaskGroup TaskLocal TaskPriority Unicode
            Unmanaged UInt UInt8 UInt16 UInt32 UInt64 UnsafePointer Void Volatile WordPair WritableKeyPath
            Zip2Sequence Actor
            """
        ),
        (
            "Foundation",
            """
            AffineTransform AttributedString Bundle ByteCountFormatter Cache Calendar CharacterSet CocoaError Data Date
            DateComponents DateFormatter DateInterval Decimal Dimension Expression FetchRequest FileHandle FileManager
            FileWrapper Formatter Host HTTPCookie IndexPath IndexSet InputStream JSONDecoder JSONEncoder
            JSONSerialization KeyPathComparator Locale Locking Measurement Message Morphology Notification
            NotificationCenter NotificationQueue Operation OperationQueue OutputStream PersonNameComponents Pipe Port
            POSIXError Predicate PredicateExpressions Process ProcessInfo Progress PropertyListDecoder
            PropertyListEncoder Record RunLoop Scanner SortComparator SortDescriptor SortOrder Stream Thread Timer
            TimeInterval TimeZone Transaction Unit URL URLComponents URLError URLQueryItem URLRequest URLResponse
            URLSession UserDefaults UUID XMLParser
            """
        ),
        (
            "Dispatch",
            """
            DispatchQueue DispatchGroup DispatchSemaphore DispatchSource DispatchTime DispatchData DispatchWorkItem
            """
        ),
        (
            "Combine",
            """
            AnyCancellable AnyPublisher AnySubject AnySubscriber Cancellable ConnectablePublisher CurrentValueSubject
            CustomCombineIdentifierConvertible Deferred Empty Fail Future ImmediateScheduler Just ObservableObject
            ObservableObjectPublisher Operators PassthroughSubject Published Publisher Publishers Record Scheduler
            SchedulerTimeIntervalConvertible Subject Subscriber Subscribers Subscription Subscriptions
            TopLevelDecoder TopLevelEncoder
            """
        ),
        (
            "SwiftUI",
            """
            Alert Alignment Anchor Angle Animation AnyLayout AnyShape AnyTransition AnyView App AppStorage Axis Binding
            Button ButtonStyle Canvas Capsule Circle Color ColorPicker Command Commands Content ControlGroup
            CoordinateSpace DatePicker DisclosureGroup Divider Edge EditMode Ellipse EmptyView Entry Environment
            EnvironmentKey EnvironmentObject EnvironmentValues FetchedResults FocusState Font ForEach Form Gauge
            GeometryProxy GeometryReader Gesture GestureState Gradient Grid GridItem GridRow Group GroupBox HStack Image
            KeyEquivalent Label Layout Link List Material Menu Model Namespace Namespaces NavigationLink NavigationPath
            NavigationStack ObservedObject OpenURLAction Path Picker Preview PreviewProvider ProgressView
            QueryController Rectangle Scene SceneStorage ScrollView Section SectionedFetchRequest
            SectionedFetchResults SecureField Selection Shape Slider Spacer State StateObject Stepper
            SubmitLabel Tab TabView Table TableColumn TableRow Text TextEditor TextField Toggle Toolbar Transferable
            Transaction Transition UIViewRepresentable VStack Variable View ViewBuilder ViewModifier Visibility Window
            WindowGroup ZStack
            """
        ),
        (
            "SwiftData",
            """
            Attribute BackingData DataStore DefaultStore EditingState FetchDescriptor FetchResultsCollection
            HistoryChange HistoryDescriptor HistoryProvider HistoryTransaction Index MigrationStage ModelActor
            ModelConfiguration ModelContainer ModelContext ModelExecutor PersistentIdentifier PersistentModel Query
            Relationship Schema SchemaMigrationPlan SwiftDataError Transient Unique VersionedSchema
            """
        ),
    ]
}
