import TextFormat

/// Why a request was refused; the sender is told the reason.
package struct Refusal: Error, Hashable, Sendable {
    package var kind: Kind
    /// A sentence for the sender, without secrets, and in one line whatever it quotes, because it is also logged.
    package var reason: String

    /// The kinds, each with its own status code.
    package enum Kind: Int, Hashable, Sendable {
        case badRequest = 400
        case unauthorized = 401
        case forbidden = 403
        case notFound = 404
        case methodNotAllowed = 405
        case conflict = 409
        case tooLarge = 413
        case unsupportedType = 415
        case unprocessable = 422
        case tooMany = 429
        case unavailable = 503
        case full = 507
    }

    package init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = printable(reason)
    }

    /// The request was understood, but its content is wrong.
    package static func unprocessable(_ reason: String) -> Refusal { Refusal(.unprocessable, reason) }
    /// The thing does not exist.
    package static func notFound(_ reason: String) -> Refusal { Refusal(.notFound, reason) }
}
