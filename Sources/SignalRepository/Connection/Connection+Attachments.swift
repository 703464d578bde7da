/// A file that a connection attaches.
///
/// If another file takes its path, the connection attaches the new file instead.
struct Attachment {
    let name: String
    /// The absolute path; its symbolic links are followed at each use.
    let path: String
    /// Attaches the file that is currently at the path, and returns the file's identity.
    let attach: (Connection) throws(RepositoryError) -> FileID
    /// The identity of the attached file; `nil` if none is attached, for example because a new file was rejected.
    fileprivate var mark: FileID?

    init(
        name: String, path: String, _ attach: @escaping (Connection) throws(RepositoryError) -> FileID
    ) {
        (self.name, self.path, self.attach) = (name, path, attach)
    }
}

/// The state of an attached file, as one connection sees it.
struct AttachedVersion: Equatable {
    fileprivate let mark: FileID?
    fileprivate let number: Int64
}

extension Connection {
    func add(_ attachment: Attachment) throws(RepositoryError) {
        attachments.append(attachment)
        try renewAttachments()
    }

    /// Attaches the new file at each path where another file has replaced the attached one.
    ///
    /// Must be called between two transactions.
    func renewAttachments() throws(RepositoryError) {
        for index in attachments.indices {
            let known = attachments[index]
            guard let now = FileID(known.path) else { throw .fileMoved(path: known.path) }
            if now == known.mark { continue }
            if known.mark != nil { try execute("DETACH \(Identifier.quoted(known.name))") }
            attachments[index].mark = nil
            attachments[index].mark = try known.attach(self)
        }
    }

    /// Returns values that change when other connections commit to the attached files, or when the files are replaced.
    func attachedVersions() throws(RepositoryError) -> [AttachedVersion] {
        try attachments.map { attachment throws(RepositoryError) in
            AttachedVersion(mark: attachment.mark, number: try dataVersion(of: attachment.name))
        }
    }
}
