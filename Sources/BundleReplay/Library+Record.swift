import StudyFile

extension Library {
    /// The files as a run's journal recorded them.
    ///
    /// - Parameter files: texts by path relative to the study file, in normal form.
    static func recorded(_ files: [String: String]) -> Library {
        Library(
            text: { path in
                files[FilePath.normal(path)].map { .success(Array($0.utf8)) } ?? .failure(.missing)
            },
            media: { _ in nil })
    }
}
