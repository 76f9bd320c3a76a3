import Hashing
import Platform
import Results
import TextFormat

/// A place for files in S3, or in another store that speaks its language, with keys that sign the addresses.
///
/// Source of the signatures: AWS, "Authenticating Requests: Using Query Parameters (AWS Signature Version 4)".
package struct Bucket: Hashable, Sendable {
    /// What cannot be a bucket, or lacks its keys.
    package enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
        case address
        case missing(String)
        case endpoint(String)

        package var description: String {
            switch self {
            case .address: "an address in S3 is s3://BUCKET or s3://BUCKET/FOLDER"
            case .missing(let variable): "the environment variable \(variable) is missing"
            case .endpoint(let variable): "\(variable) is an address such as https://storage.example"
            }
        }
    }

    private let keyIdentifier: String
    private let secret: String
    private let sessionToken: String?
    private let region: String
    /// `https://…` without a slash at its end.
    private let origin: String
    /// What paths begin with, with a slash at its end.
    private let path: String

    static let scheme = "s3://"

    package static func isAddress(_ text: String) -> Bool { text.hasPrefix(scheme) }

    /// - Parameters:
    ///   - address: `s3://BUCKET/FOLDER`.
    ///   - variable: gives the variables of the environment, by the names that AWS's own programs use.
    package init(_ address: String, variable: (String) -> String?) throws(Problem) {
        let parts = address.dropFirst(Self.scheme.count).split(separator: "/").map(String.init)
        guard Self.isAddress(address), let bucket = parts.first, Self.isBucketName(bucket),
            parts.dropFirst().allSatisfy({ BundlePath($0) != nil })
        else { throw .address }
        func needed(_ name: String) throws(Problem) -> String {
            guard let value = variable(name), !value.isEmpty else { throw .missing(name) }
            return value
        }
        keyIdentifier = try needed("AWS_ACCESS_KEY_ID")
        secret = try needed("AWS_SECRET_ACCESS_KEY")
        sessionToken = variable("AWS_SESSION_TOKEN")
        let folder = parts.dropFirst().map { $0 + "/" }.joined()
        let named = ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"].first { variable($0)?.isEmpty == false }
        if let named, let endpoint = variable(named).flatMap({ MonitorAddress($0, token: nil)?.url }) {
            region = variable("AWS_REGION") ?? variable("AWS_DEFAULT_REGION") ?? "us-east-1"
            (origin, path) = (endpoint, "/\(bucket)/\(folder)")
        } else if let named {
            throw .endpoint(named)
        } else {
            if let own = variable("AWS_REGION") {
                region = own
            } else {
                region = try needed("AWS_DEFAULT_REGION")
            }
            (origin, path) = ("https://\(bucket).s3.\(region).amazonaws.com", "/\(folder)")
        }
    }

    /// 3 to 63 lower-case letters, digits, points and hyphens.
    private static func isBucketName(_ text: String) -> Bool {
        (3...63).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "."), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// A request for an object whose address is signed; it is valid for a quarter of an hour.
    ///
    /// - Parameters:
    ///   - headers: which are signed, too.
    ///   - now: seconds since 1970.
    func request(_ method: String, _ object: String, headers: [HTTPHeader] = [], now: Double) -> HTTPRequest {
        let (day, second) = CivilDate.split(Int(now))
        let date = CivilDate(daysSince1970: day).text.filter { $0 != "-" }
        let clock = [second / 3600, second / 60 % 60, second % 60].map { String($0 + 100).dropFirst() }
        let scope = "\(date)/\(region)/s3/aws4_request"
        let moment = "\(date)T\(clock.joined())Z"
        let host = String(origin.drop { $0 != "/" }.dropFirst(2))
        let signed = (headers.map { ($0.name.lowercased(), $0.value) } + [("host", host)])
            .sorted { $0.0 < $1.0 }
        let names = signed.map(\.0).joined(separator: ";")
        var query = [
            ("X-Amz-Algorithm", "AWS4-HMAC-SHA256"), ("X-Amz-Credential", "\(keyIdentifier)/\(scope)"),
            ("X-Amz-Date", moment), ("X-Amz-Expires", "900"), ("X-Amz-SignedHeaders", names),
        ]
        if let sessionToken { query.append(("X-Amz-Security-Token", sessionToken)) }
        let asked = query.sorted { $0.0 < $1.0 }
            .map { "\(Self.encoded($0.0))=\(Self.encoded($0.1))" }.joined(separator: "&")
        let place = Self.encoded(path + object, keeping: "/")
        let canonical =
            [method, place, asked] + signed.map { "\($0.0):\($0.1)" } + ["", names, "UNSIGNED-PAYLOAD"]
        let text = [
            "AWS4-HMAC-SHA256", moment, scope,
            SHA256.hexadecimal(of: canonical.joined(separator: "\n")),
        ]
        var key = Array("AWS4\(secret)".utf8)
        for part in [date, region, "s3", "aws4_request"] { key = HMAC.code(of: Array(part.utf8), key: key) }
        let signature = hexadecimal(HMAC.code(of: Array(text.joined(separator: "\n").utf8), key: key))
        var request = HTTPRequest("\(origin)\(place)?\(asked)&X-Amz-Signature=\(signature)")
        request.headers = headers
        request.isHead = method == "HEAD"
        return request
    }

    private static func encoded(_ text: String, keeping kept: String = "") -> String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~\(kept)".utf8)
        return text.utf8.map { byte in
            plain.contains(byte)
                ? String(Unicode.Scalar(byte)) : "%\(hexadecimal([byte]).uppercased())"
        }.joined()
    }
}
