import Hashing
import MonitorInterface
package import Platform
import Results
import TextFormat
package import TransparencyLog

/// Sends sealed bundles to a monitor that keeps them, piece by piece.
///
/// The monitor says what it has of a bundle, so whatever broke off goes on where it was, also in another program. A
/// bundle that the monitor has is not sent again.
package struct BundleDelivery: Sendable {
    /// What became of a bundle.
    package enum Outcome: Hashable, Sendable {
        /// The monitor has it, on disk, and each file is as its sum says.
        case delivered(bytes: Int, DeliveryReceipt.Signed?)
        /// The monitor had it before. It gives a receipt if it compared what it has.
        case known(DeliveryReceipt.Signed?)
        /// The monitor does not take this bundle.
        case refused(String)
        /// The monitor cannot be reached, or takes nothing.
        case away(String)

        /// What was signed for the bundle.
        package var receipt: DeliveryReceipt.Signed? {
            switch self {
            case .delivered(_, let receipt), .known(let receipt): receipt
            case .refused, .away: nil
            }
        }
    }

    /// How an exchange with the monitor ended.
    private enum Answer {
        case said(JSON)
        /// The monitor has something else than was thought.
        case conflict(String)
        case refused(String)
        /// It takes nothing at all, or cannot be reached.
        case closed(String)
        /// Trying again may help.
        case away(String)
    }

    private let monitor: MonitorAddress
    private let client: HTTPClient
    private let patience: Duration
    private let pieceSize: Int

    /// - Parameters:
    ///   - patience: how long to try again what gets no answer, before giving up.
    ///   - pieceSize: bytes of a piece.
    /// - Throws: if no server can be reached from here, because libcurl is missing.
    package init(
        to monitor: MonitorAddress, patience: Duration = .seconds(20), pieceSize: Int = 256 << 10
    ) throws(HTTPFailure) {
        client = try HTTPClient()
        (self.monitor, self.patience, self.pieceSize) = (monitor, patience, pieceSize)
    }

    /// Sends what the monitor does not have of a bundle.
    ///
    /// - Parameters:
    ///   - path: a sealed bundle, which is compared with its sums first.
    ///   - isChecking: whether the monitor compares what it has with the sums, and gets again what is not so.
    /// - Throws: `FileFailure` if it is not as it was sealed, or cannot be read.
    package func deliver(_ path: String, isChecking: Bool = false) async throws(FileFailure) -> Outcome {
        let folder = try Folder(path)
        let sums = try folder.read("SHA256SUMS")
        let run = try Manifest(ofBundle: path).runUUID
        let place = "\(MonitorPath.bundles)/\(run)/\(SHA256.hexadecimal(of: sums))"
        var (isChecked, isToBeCompared) = (false, isChecking)
        // What the monitor found not to be as its sum says is sent once more.
        var attempt = 0
        while attempt < 3 {
            let have: JSON
            switch await ask(place) {
            case .said(let answer) where answer["kept"] == true && isToBeCompared:
                // A bundle that is sealed once more is compared once more; what it lacks then is sent as if it had broken off.
                isToBeCompared = false
                switch await ask("\(place)/\(MonitorPath.seal)", posting: []) {
                case .said(let answer): return .known(Self.receipt(in: answer))
                case .closed(let reason): return .away(reason)
                case .conflict, .refused, .away: continue
                }
            case .said(let answer) where answer["kept"] == true:
                return attempt == 0 ? .known(nil) : .delivered(bytes: try folder.sealedBytes(), nil)
            case .said(let answer): have = answer["have"] ?? [:]
            case .conflict(let reason), .refused(let reason): return .refused(reason)
            case .closed(let reason), .away(let reason): return .away(reason)
            }
            if !isChecked {
                if let problem = try ResultBundle(at: path).verifySums().first {
                    throw FileFailure("deliver", path, .malformed(problem.description))
                }
                isChecked = true
            }
            for file in try folder.sealedFiles() {
                if let outcome = try await send(file, of: folder, to: place, from: have[file]?.integer) {
                    return outcome
                }
            }
            switch await ask("\(place)/\(MonitorPath.seal)", posting: []) {
            case .said(let answer):
                return .delivered(bytes: try folder.sealedBytes(), Self.receipt(in: answer))
            case .conflict: attempt += 1
            case .refused(let reason): return .refused(reason)
            case .closed(let reason), .away(let reason): return .away(reason)
            }
        }
        return .refused("what the monitor receives is not what was sent")
    }

    private static func receipt(in answer: JSON) -> DeliveryReceipt.Signed? {
        guard let key = answer["key"]?.text, let note = answer["receipt"]?.text else { return nil }
        return DeliveryReceipt.Signed(key: key, note: note)
    }

    /// - Parameter size: the bytes that the monitor has; `nil` if it does not have the file.
    /// - Returns: why the rest need not be sent; `nil` if the monitor has the file now.
    private func send(
        _ file: String, of folder: Folder, to place: String, from size: Int?
    ) async throws(FileFailure) -> Outcome? {
        let end = folder.size(of: file) ?? 0
        var offset = size ?? 0
        var limit = pieceSize
        var isThere = size != nil
        var conflicts = 0
        while !isThere || offset < end {
            let piece = try folder.piece(of: file, at: offset, limit: limit)
            if piece.isEmpty, offset < end { return nil }
            let path = "\(place)/\(MonitorPath.piece)?path=\(file)&offset=\(offset)"
            switch await ask(path, posting: piece, whenSlow: { limit = max(limit / 4, 4096) }) {
            case .said:
                offset += piece.count
                isThere = true
            case .conflict(let reason):
                // An answer was lost, or somebody else sends the same bundle.
                conflicts += 1
                guard conflicts < 10, case .said(let answer) = await ask(place) else { return .away(reason) }
                if answer["kept"] == true { return nil }
                offset = answer["have"]?[file]?.integer ?? 0
                isThere = answer["have"]?[file] != nil
            case .refused(let reason): return .refused(reason)
            case .closed(let reason), .away(let reason): return .away(reason)
            }
        }
        return nil
    }

    /// Asks until there is an answer, or patience ends.
    ///
    /// - Parameter whenSlow: called if a piece took too long. It is not sent again: the next one can be smaller.
    private func ask(
        _ path: String, posting body: [UInt8]? = nil, whenSlow: (() -> Void)? = nil
    ) async -> Answer {
        let clock = ContinuousClock()
        let end = clock.now.advanced(by: patience)
        var pause = Duration.milliseconds(100)
        while true {
            var request = monitor.request(path, body: body)
            // Sealing reads all that was sent.
            request.limit = body?.isEmpty == true ? .seconds(60) : .seconds(8)
            if body != nil { request.headers.append(HTTPHeader("Content-Type", "application/octet-stream")) }
            let answer: Answer
            do throws(HTTPFailure) {
                answer = Self.meaning(of: try await client.response(to: request))
            } catch {
                if case .tooSlow = error, let whenSlow, clock.now < end {
                    whenSlow()
                    return .conflict(error.description)
                }
                answer = .away(error.description)
            }
            guard case .away = answer, clock.now < end, !Task.isCancelled else { return answer }
            do { try await clock.sleep(for: pause) } catch { return answer }
            pause = min(pause * 2, .seconds(2))
        }
    }

    private static func meaning(of response: HTTPResponse) -> Answer {
        let status = response.head.status
        let said: JSON
        do throws(JSON.Malformed) { said = try JSON(parsing: response.body) } catch {
            return .away("no monitor is there: it answers \(status)")
        }
        let reason = said["error"]?.text?.limited(to: 300) ?? "it answers \(status)"
        switch status {
        case 200..<300: return .said(said)
        case 409: return .conflict(reason)
        case 404: return .closed("the monitor keeps no bundles: it is of an earlier version")
        case 401, 403, 507: return .closed("the monitor answers \(status): \(reason)")
        case 429, 500...: return .away("the monitor answers \(status): \(reason)")
        default: return .refused("the monitor answers \(status): \(reason)")
        }
    }
}

extension Folder {
    /// The files of a sealed bundle. First the sums, which name the others, and the manifest, which says whose they
    /// are.
    func sealedFiles() throws(FileFailure) -> [String] {
        let first = ["SHA256SUMS", "manifest.json"]
        return try first
            + Sums(parsing: read("SHA256SUMS")).digests.keys.filter { !first.contains($0) }.sorted()
    }

    fileprivate func sealedBytes() throws(FileFailure) -> Int {
        try sealedFiles().reduce(0) { $0 + (size(of: $1) ?? 0) }
    }
}
