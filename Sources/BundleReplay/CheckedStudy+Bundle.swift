package import Platform
package import Results

extension CheckedStudy {
    /// The study of a run, with the files that its journal contains.
    ///
    /// - Throws: `FileFailure` if the bundle's study or journal cannot be read.
    package init(recordedIn bundle: ResultBundle) throws(FileFailure) {
        let header = try bundle.journal().header
        self.init(
            try bundle.contents(of: "study.yaml"), path: "study.yaml", library: .recorded(header.files))
    }
}
