import TextFormat

/// The format of catalogues as a JSON Schema.
package enum CatalogueSchema {
    /// Draft 07, pretty-printed, ending with a line feed. It is made from the declarations that decode a catalogue.
    package static var text: String {
        StudySchema.document(
            of: .mapping(Catalogue.shape), title: "Entrain catalogue",
            description: "A catalogue of clips for entrain, version 1 of the format.")
    }
}
