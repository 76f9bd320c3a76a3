import Hashing
package import Platform
import Results
import TextFormat

/// Sends sealed bundles to a bucket, file by file, each with its sum, by which the bucket checks it.
///
/// `SHA256SUMS` comes last: where it is, the bundle is whole. What the bucket has with its sum is not sent again.
package struct BucketDelivery: Sendable {
    /// How a request ended.
    private enum Answer {
        /// With the sum that was put beside the object, or that of an object that was read; `nil` if there is none.
        case said(sum: String?, isThere: Bool)
        /// The object is there already.
        case conflict
        case closed(String)
        case away(String)
    }

    private let bucket: Bucket
    private let client: HTTPClient
    private let patience: Duration

    /// The largest file that S3 takes at once.
    private static let largest = 5 << 30

    /// - Parameter patience: how long to try again what gets no answer, before giving up.
    /// - Throws: if no server can be reached from here, because libcurl is missing.
    package init(to bucket: Bucket, patience: Duration = .seconds(20)) throws(HTTPFailure) {
        client = try HTTPClient()
        (self.bucket, self.patience) = (bucket, patience)
    }

    /// Sends what the bucket does not have of a bundle.
    ///
    /// - Parameters:
    ///   - path: a sealed bundle, which is compared with its sums first.
    ///   - isChecking: whether to read what the bucket has, and to send again what is not as its sum says.
    /// - Throws: `FileFailure` if it is not as it was sealed, or cannot be read.
    package func deliver(
        _ path: String, isChecking: Bool = false
    ) async throws(FileFailure) -> BundleDelivery.Outcome {
        let folder = try Folder(path)
        let run = try Manifest(ofBundle: path).runUUID
        let digest = try folder.digest(of: "SHA256SUMS").sha256
        var isThere = false
        switch await ask("HEAD", "\(run)/SHA256SUMS") {
        case .said(_, isThere: false): break
        case .said(let sum, _) where sum == digest && isChecking: isThere = true
        case .said(let sum, _):
            return sum == digest ? .known(nil) : .refused("another bundle of this run is in the bucket")
        case .conflict: return .refused("the bucket does not answer as S3 does")
        case .closed(let reason), .away(let reason): return .away(reason)
        }
        if let problem = try ResultBundle(at: path).verifySums().first {
            throw FileFailure("deliver", path, .malformed(problem.description))
        }
        var total = 0
        for file in try folder.sealedFiles().reversed() {
            let size = folder.size(of: file) ?? 0
            guard size <= Self.largest else { return .refused("\(file) is larger than 5 GiB") }
            let (digest, object) = (try folder.digest(of: file), "\(run)/\(file)")
            if isThere {
                switch await read(object, upTo: digest.size) {
                case .said(digest.sha256, _): continue
                case .said, .conflict: break
                case .closed(let reason), .away(let reason): return .away(reason)
                }
            }
            if let outcome = await send(file, digest, at: path, as: object, again: isThere) {
                return outcome
            }
            total += size
        }
        return isThere && total == 0 ? .known(nil) : .delivered(bytes: total, nil)
    }

    /// Reads an object, and works out the sum of what is there.
    ///
    /// - Parameter size: how large it should be, bytes; one that is much larger has no sum.
    private func read(_ object: String, upTo size: Int) async -> Answer {
        var request = bucket.request("GET", object, now: wallSeconds())
        (request.limit, request.silenceLimit) = (nil, .seconds(15))
        request.sizeLimit = size + 65_536
        var hash = SHA256()
        for await event in client.events(of: request) {
            switch event {
            case .head(let head) where head.isSuccess: break
            case .head(let head) where head.status == 404: return .said(sum: nil, isThere: false)
            case .head(let head): return .away("the bucket answers \(head.status)")
            case .bytes(let bytes): hash.update(bytes)
            case .failed(.tooLarge): return .said(sum: nil, isThere: true)
            case .failed(let failure): return .away(failure.description)
            }
        }
        return .said(sum: SHA256.hexadecimal(digest: hash.finish()), isThere: true)
    }

    /// - Parameter again: whether what is there is known not to be right.
    /// - Returns: why the rest need not be sent; `nil` if the bucket has the file now.
    private func send(
        _ file: String, _ digest: FileDigest, at path: String, as object: String, again: Bool
    ) async -> BundleDelivery.Outcome? {
        let isLast = file == "SHA256SUMS"
        if !isLast, !again {
            switch await ask("HEAD", object) {
            case .said(let sum, isThere: true) where sum == digest.sha256: return nil
            case .said, .conflict: break
            case .closed(let reason), .away(let reason): return .away(reason)
            }
        }
        var headers = [
            HTTPHeader("x-amz-checksum-sha256", SHA256.base64(hexadecimal: digest.sha256)),
            HTTPHeader("x-amz-meta-sha256", digest.sha256),
        ]
        // Whoever seals first wins, and nobody overwrites a whole bundle.
        if isLast, !again { headers.append(HTTPHeader("if-none-match", "*")) }
        switch await ask("PUT", object, headers: headers, file: "\(path)/\(file)", size: digest.size) {
        case .said: return nil
        case .conflict:
            // The answer to an earlier try may have been lost.
            guard case .said(digest.sha256, _) = await ask("HEAD", object) else {
                return .refused("another bundle of this run is in the bucket")
            }
            return nil
        case .closed(let reason), .away(let reason): return .away(reason)
        }
    }

    /// Asks until there is an answer, or patience ends.
    private func ask(
        _ method: String, _ object: String, headers: [HTTPHeader] = [], file: String? = nil, size: Int = 0
    ) async -> Answer {
        let clock = ContinuousClock()
        let end = clock.now.advanced(by: patience)
        var pause = Duration.milliseconds(100)
        while true {
            var request = bucket.request(method, object, headers: headers, now: wallSeconds())
            request.file = file
            // However slow: what stands still is given up.
            request.limit = file == nil ? .seconds(15) : nil
            request.silenceLimit = .seconds(15)
            let answer: Answer
            do throws(HTTPFailure) {
                answer = Self.meaning(of: try await client.response(to: request), to: method)
            } catch {
                answer = .away(error.description)
            }
            guard case .away = answer, clock.now < end, !Task.isCancelled else { return answer }
            do { try await clock.sleep(for: pause) } catch { return answer }
            pause = min(pause * 2, .seconds(2))
        }
    }

    private static func meaning(of response: HTTPResponse, to method: String) -> Answer {
        let status = response.head.status
        // The reason stands in the body, as <Code>NoSuchBucket</Code>; the answer to HEAD has none.
        let body = String(decoding: response.body, as: UTF8.self)
        let code = body.split(separator: "<Code>").dropFirst().first.map { $0.prefix { $0 != "<" } }
        let words =
            "the bucket answers \(status)\(code.map { ", \(printable(String($0).limited(to: 100)))" } ?? "")"
        switch status {
        case 200..<300: return .said(sum: response.head["x-amz-meta-sha256"], isThere: true)
        case 404 where method == "HEAD": return .said(sum: nil, isThere: false)
        case 412, 409: return .conflict
        case 400 where code == "RequestTimeout", 429, 500...: return .away(words)
        case 403:
            return .closed(
                "\(words): look at the keys, the region, the clock, and the rights s3:GetObject, s3:PutObject and s3:ListBucket"
            )
        default: return .closed(words)
        }
    }
}
