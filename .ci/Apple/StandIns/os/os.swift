// The declarations of Apple's `os` that the library uses, without what they do.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct OSLogType: Sendable {
    public static let debug = OSLogType()
}

public struct OSLogPrivacy: Sendable {
    public static let `public` = OSLogPrivacy()
    public static let auto = OSLogPrivacy()
}

public struct OSLogInterpolation: StringInterpolationProtocol {
    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ literal: String) {}
    public mutating func appendInterpolation(
        _ text: @autoclosure @escaping () -> String, privacy: OSLogPrivacy = .auto
    ) {}
    public mutating func appendInterpolation(
        _ number: @autoclosure @escaping () -> some FixedWidthInteger, privacy: OSLogPrivacy = .auto
    ) {}
}

public struct OSLogMessage: ExpressibleByStringInterpolation {
    public init(stringLiteral text: String) {}
    public init(stringInterpolation: OSLogInterpolation) {}
}

public struct Logger: Sendable {
    public init(subsystem: String, category: String) {}
    public func log(level: OSLogType, _ message: OSLogMessage) {}
}
