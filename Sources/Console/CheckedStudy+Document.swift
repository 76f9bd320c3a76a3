package import BundleReplay
import StudyFile
package import StudySession

extension CheckedStudy {
    package func document() throws(StudyFailure) -> Sitting.Document {
        var document = Sitting.Document(try study(), text: text, files: parsed.files)
        document.meaningSHA256 = meaning.sha256
        document.registrationSHA256 = registrationSHA256
        return document
    }
}
