import BundleReplay
import StudyFile
import StudySession

extension CheckedStudy {
    /// The study as a sitting takes it.
    func document() throws(StudyFailure) -> Sitting.Document {
        Sitting.Document(try study(), text: text, files: parsed.files)
    }
}
