import BundleReplay
import StudyFile
import StudySession

extension CheckedStudy {
    func document() throws(StudyFailure) -> Sitting.Document {
        Sitting.Document(try study(), text: text, files: parsed.files)
    }
}
