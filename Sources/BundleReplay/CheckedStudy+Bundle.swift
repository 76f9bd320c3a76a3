package import Results

extension CheckedStudy {
    /// The study of a run, with the files that its journal contains.
    ///
    /// - Throws: `BundleFailure` if the bundle's study or journal cannot be read.
    package init(recordedIn bundle: ResultBundle) throws(BundleFailure) {
        let header = try bundle.journal().header
        self.init(
            try bundle.contents(of: "study.yaml"), path: "study.yaml", library: .recorded(header.files))
    }
}
