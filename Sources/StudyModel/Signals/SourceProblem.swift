/// Why a source yields nothing at the moment.
public enum SourceProblem: Hashable, Sendable, CustomStringConvertible {
    /// The camera works, but there is no fingertip on it.
    case noPulse
    /// Nothing was heard of the source so far.
    case notConnectedYet
    /// Anything else, in words.
    case other(String)

    /// Reads the words of a bundle.
    public init(_ text: String) {
        self = [.noPulse, .notConnectedYet].first { $0.description == text } ?? .other(text)
    }

    /// The words that a bundle uses.
    public var description: String {
        switch self {
        case .notConnectedYet: "not connected yet"
        case .noPulse: "no pulse is seen; cover the lens with a fingertip and keep still"
        case .other(let words): words
        }
    }
}

extension SourceProblem: ExpressibleByStringInterpolation {
    /// The problem in these words.
    public init(stringLiteral words: String) { self.init(words) }
}
