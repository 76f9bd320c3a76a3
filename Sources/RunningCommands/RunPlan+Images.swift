import Platform
import Results
import StudyModel

extension RunPlan {
    /// The pictures that the run may show, with their digests; `nil` if there are none.
    ///
    /// - Throws: `FileFailure` if one cannot be read.
    func images(in folder: String, shownAs form: StepImage.Form) throws -> ShownImages? {
        let paths = Set(allEntries.flatMap(\.step.images)).sorted()
        guard !paths.isEmpty else { return nil }
        let place = try Folder(folder)
        return ShownImages(
            shownAs: form,
            files: try paths.map { UsedFile(name: $0, sha256: try place.digest(of: $0).sha256) })
    }
}
