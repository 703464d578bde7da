/// A file that a connection attaches, and attaches again whenever another one has its name.
struct Attachment {
    let name: String
    /// The absolute path, of which links are followed each time.
    let place: String
    /// Attaches the file that has the name now, and returns which one it is.
    let attach: (Connection) throws(RepositoryError) -> FileMark
    /// Which file is attached; `nil` while none is, as the last one was replaced by what cannot be.
    fileprivate var mark: FileMark?

    init(
        name: String, place: String, _ attach: @escaping (Connection) throws(RepositoryError) -> FileMark
    ) {
        (self.name, self.place, self.attach) = (name, place, attach)
    }
}

/// The state of an attached file, as one connection sees it.
struct AttachedVersion: Equatable {
    fileprivate let mark: FileMark?
    fileprivate let number: Int64
}

extension Connection {
    func add(_ attachment: Attachment) throws(RepositoryError) {
        attachments.append(attachment)
        try renewAttachments()
    }

    /// Attaches each file again of which another has taken the name; between two transactions.
    func renewAttachments() throws(RepositoryError) {
        for index in attachments.indices {
            let known = attachments[index]
            guard let now = FileMark(known.place) else { throw .fileMoved(path: known.place) }
            if now == known.mark { continue }
            if known.mark != nil { try execute("DETACH \(Identifier.quoted(known.name))") }
            attachments[index].mark = nil
            attachments[index].mark = try known.attach(self)
        }
    }

    /// A number that changes when others have committed to the attached files, or replaced them.
    func attachedVersions() throws(RepositoryError) -> [AttachedVersion] {
        try attachments.map { attachment throws(RepositoryError) in
            AttachedVersion(mark: attachment.mark, number: try dataVersion(of: attachment.name))
        }
    }
}
