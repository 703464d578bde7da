import Foundation

/// The differences that two encodings of one value may have.
@usableFromInline
package enum StoredEncoding: Sendable {
    /// The encodings are equal.
    case exact
    /// The encodings may differ only in the order of JSON arrays, because a set has no order.
    case json
    /// The encodings may differ in any way, because a custom function makes them.
    case free
    /// The encodings always differ, because they are encrypted.
    case opaque

    /// Whether two stored values are known to be encodings of one value.
    func isSame(_ left: SQLValue, _ right: SQLValue) -> Bool {
        if left == right { return true }
        guard self == .json, case .text(let left) = left, case .text(let right) = right else { return false }
        return Self.canonical(left) == Self.canonical(right)
    }

    /// Returns a text that is the same for two JSON texts if they differ only in the order of arrays and keys.
    private static func canonical(_ text: String) -> String? {
        guard let value = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed) else {
            return nil
        }
        return canonical(value)
    }

    private static func canonical(_ value: Any) -> String {
        switch value {
        case let array as [Any]: "[" + array.map { canonical($0) }.sorted().joined(separator: ",") + "]"
        case let object as [String: Any]:
            "{" + object.map { "\($0.key.utf8.count):\($0.key)=" + canonical($0.value) }.sorted().joined(separator: ",")
                + "}"
        case let text as String: "\"\(text.utf8.count):\(text)\""
        default: "\(value)"
        }
    }
}

/// A codec that states whether encodings of equal values may differ, and the type of its stored values.
protocol KnownCodec {
    var encoding: StoredEncoding { get }
    var storedType: any Any.Type { get }
}

extension DirectCodec: KnownCodec {
    var encoding: StoredEncoding { .exact }
    var storedType: any Any.Type { Value.self }
}

extension JSONCodec: KnownCodec {
    var encoding: StoredEncoding { .json }
    var storedType: any Any.Type { Self.self }
}

extension NullableCodec: KnownCodec {
    var encoding: StoredEncoding { (base as? any KnownCodec)?.encoding ?? .free }
    var storedType: any Any.Type { (base as? any KnownCodec)?.storedType ?? Base.self }
}

extension TransformCodec: KnownCodec {
    var encoding: StoredEncoding { .free }
    var storedType: any Any.Type { Stored.self }
}
