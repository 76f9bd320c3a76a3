import Hashing
package import Platform
package import Results
package import StudyFile

extension CheckedStudy {
    /// What the study says, regardless of notation, and without its registration.
    package var meaning: StudyMeaning {
        var files = parsed.files
        if let own = parsed.registration { files[own.path] = nil }
        return StudyMeaning(of: String(decoding: text, as: UTF8.self), files: files)
    }

    /// The registration that the study names; `nil` if it names none.
    ///
    /// - Throws: `FileFailure` if the file is not a registration.
    package func registration() throws(FileFailure) -> Registration? {
        guard let named = parsed.registration else { return nil }
        return try Registration(parsing: Array(named.text.utf8), from: named.path)
    }

    /// Lower-case hexadecimal SHA-256 of the registration that the study names.
    package var registrationSHA256: String? {
        parsed.registration.map { SHA256.hexadecimal(of: $0.text) }
    }
}

extension StudyMeaning {
    /// Lower-case hexadecimal SHA-256 of its lines.
    package var sha256: String { SHA256.hexadecimal(of: bytes) }
}

extension Registration {
    /// The study as it was registered, read from the registration's folder.
    ///
    /// - Parameter folder: the folder of `registration.json`.
    /// - Throws: `FileFailure` if a file is missing, or differs from the registered one.
    package func study(in folder: String) throws(FileFailure) -> CheckedStudy {
        let open = try Folder(folder)
        var texts: [String: [UInt8]] = [:]
        for file in files {
            guard let path = file.path else { continue }
            let bytes = try open.read(path.text)
            guard SHA256.hexadecimal(of: bytes) == file.sha256 else {
                throw FileFailure("read", "\(folder)/\(path)", .malformed("it is not what was registered"))
            }
            texts[file.name] = bytes
        }
        guard let study = texts[studyFile] else {
            throw FileFailure("read", folder, .malformed("it lists no study file"))
        }
        let all = texts
        let library = Library(
            text: { path in all[FilePath.normal(path)].map { .success($0) } ?? .failure(.missing) },
            media: { _ in nil })
        let checked = CheckedStudy(study, path: "\(folder)/\(studyFile)", library: library)
        guard checked.meaning.sha256 == meaningSHA256 else {
            throw FileFailure(
                "read", "\(folder)/\(Registration.fileName)",
                .malformed("the digest of what the study says is not that of the study beside it"))
        }
        return checked
    }

    /// Reads the registration in a folder.
    ///
    /// - Throws: `FileFailure` if there is none.
    package init(in folder: String) throws(FileFailure) {
        let bytes = try Folder(folder).read(Self.fileName)
        try self.init(parsing: bytes, from: "\(folder)/\(Self.fileName)")
    }
}
