import TextFormat

extension ResultBundle {
    /// When nobody sat at the run, from an end of it to the moment at which it was continued: seconds since its start.
    public var interruptions: [Range<Double>] {
        (result["userInfo"]?["interruptions"]?.list ?? []).compactMap { gap in
            guard let from = gap["from"]?.number, let to = gap["to"]?.number, from <= to else { return nil }
            return from..<to
        }
    }
}
