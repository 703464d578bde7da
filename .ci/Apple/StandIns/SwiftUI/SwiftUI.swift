// The declarations of SwiftUI that the documents use, without what they do.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Optional: View where Wrapped: View {
    public var body: Self { self }
}

@resultBuilder public enum ViewBuilder {
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
}

public struct Text: View {
    public init(_ content: some StringProtocol) {}
    public var body: Self { self }
}

public struct ProgressView: View {
    public init() {}
    public var body: Self { self }
}

public struct List<Content: View>: View {
    public init<Items: RandomAccessCollection, ID: Hashable>(
        _ items: Items, id: KeyPath<Items.Element, ID>, @ViewBuilder row: @escaping (Items.Element) -> Content
    ) {}
    public var body: Self { self }
}

extension View {
    public func overlay(@ViewBuilder content: () -> some View) -> some View { self }
}
