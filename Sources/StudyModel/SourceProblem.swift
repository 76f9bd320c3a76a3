/// Why a source has nothing for now.
public enum SourceProblem: Hashable, Sendable, CustomStringConvertible {
    /// The camera works, and there is no fingertip on it.
    case noPulse
    /// Anything else, in words.
    case other(String)

    /// Reads what a bundle says.
    public init(_ text: String) {
        self = text == Self.noPulse.description ? .noPulse : .other(text)
    }

    /// The words for it in a bundle.
    public var description: String {
        switch self {
        case .noPulse: "no pulse is seen; cover the lens with a fingertip and keep still"
        case .other(let words): words
        }
    }
}

extension SourceProblem: ExpressibleByStringInterpolation {
    /// The problem in these words.
    public init(stringLiteral words: String) { self.init(words) }
}
