#if Macros
    import SwiftCompilerPlugin
    import SwiftSyntaxMacros

    /// The compiler plugin that expands `@Entity` and the markers.
    @main
    struct Plugin: CompilerPlugin {
        let providingMacros: [any Macro.Type] = [EntityMacro.self, MarkerMacro.self]
    }
#else
    /// The plugin without the trait `Macros`; it does nothing, because swift-syntax is not available.
    @main
    enum Plugin {
        static func main() {}
    }
#endif
