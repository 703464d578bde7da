/// The wording of an error: a summary for users, and details for developers.
struct ErrorWording {
    /// A sentence without its period, which contains no SQL, engine code or path.
    let summary: String
    /// The reason as the library found it, which may contain SQL, an engine code or a path.
    let detail: String?
    /// The path of the file that the error concerns, or the engine's diagnosis of the error.
    let source: String?

    init(_ summary: String, _ detail: String? = nil, source: String? = nil) {
        (self.summary, self.detail, self.source) = (summary, detail, source)
    }

    /// Describes an error of a value; a column that is an SQL expression is named in the detail, not in the summary.
    init(
        _ subject: String, _ entity: String, _ column: String, or unnamed: String, _ outcome: String, _ detail: String
    ) {
        if [entity, column].allSatisfy(Self.isName) {
            self.init("\(subject) \(entity).\(column) \(outcome)", detail)
        } else {
            self.init("\(unnamed) \(outcome)", "\(entity).\(column): \(detail)")
        }
    }

    init(refusing kind: ConstraintKind, _ columns: [String], _ diagnosis: Diagnosis) {
        let listed = columns.isEmpty ? nil : columns.joined(separator: ", ")
        // A check without a name, or a unique index of an expression, has SQL in place of a column name.
        let names = columns.allSatisfy(Self.isName) ? listed : nil
        let rule =
            switch kind {
            case .unique: names.map { "another item already has this value of \($0)" } ?? "another item is equal to it"
            case .primaryKey: "an item with this key already exists" + (names.map { " (\($0))" } ?? "")
            case .foreignKey where diagnosis.isRestriction: "\(names ?? "another item") still refers to it"
            case .foreignKey: "\(names.map { "the reference \($0)" } ?? "a reference") would point to no item"
            case .trigger: "a trigger rejected it"
            case .check: "\(names.map { "the check \($0)" } ?? "a check") does not hold"
            case .notNull: "\(names ?? "a property") must have a value"
            case .other: "a rule of the table does not hold"
            }
        self.init(
            "The change was refused: \(rule)", names == nil ? listed : nil, source: "\(diagnosis)")
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
    }
}
