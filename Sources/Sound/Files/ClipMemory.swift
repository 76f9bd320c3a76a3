import Glibc
import Hashing
import Platform
import TextFormat

/// Stored measurements of clips, each valid until its file changes: one small file each in the user's cache folder,
/// which may be emptied at any time.
struct ClipMemory {
    private let place: String
    private let folder: String

    /// - Returns: `nil` if there is no file, or no cache folder.
    init?(of path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0, let cache = Self.cache else { return nil }
        let kind = LoudnessMeter.isThere ? "loudness" : "peak"
        let identity = [
            Int(status.st_dev), Int(status.st_ino), Int(status.st_size), status.st_mtim.tv_sec,
            status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
        ]
        let key = "entrain-clip/4 \(kind) \(identity)"
        folder = cache + "/entrain/clips"
        place = "\(folder)/\(SHA256.hexadecimal(of: key).prefix(32)).json"
    }

    func recall() -> ClipMeasurement? {
        guard case .success(let bytes) = FileContents.read(place, limit: 4096) else { return nil }
        do {
            let json = try JSON(parsing: bytes)
            guard case .integer(let length)? = json["nanoseconds"], case .real(let peak)? = json["peak"],
                let leadIn = json["leadIn"]?.integer, let hasDeadChannel = json["deadChannel"]?.boolean,
                let isClipped = json["clipped"]?.boolean,
                case .text(let sum)? = json["sha256"]
            else { return nil }
            let loudness: Double? = if case .real(let value)? = json["loudness"] { value } else { nil }
            return ClipMeasurement(
                length: .nanoseconds(length), loudness: loudness, peak: peak, leadIn: .nanoseconds(leadIn),
                hasDeadChannel: hasDeadChannel, isClipped: isClipped, sha256: sum)
        } catch {
            return nil
        }
    }

    /// Stores the measurement if possible; otherwise it will be measured again.
    func keep(_ measured: ClipMeasurement) {
        var members: [String: JSON] = [
            "nanoseconds": .integer(Int(measured.length / .nanoseconds(1))), "peak": .real(measured.peak),
            "leadIn": .integer(Int(measured.leadIn / .nanoseconds(1))),
            "deadChannel": .boolean(measured.hasDeadChannel),
            "clipped": .boolean(measured.isClipped), "sha256": .text(measured.sha256),
        ]
        members["loudness"] = measured.loudness.map { .real($0) }
        var path = ""
        for part in folder.split(separator: "/") {
            path += "/" + part
            _ = unsafe mkdir(path, 0o700)
        }
        let fresh = "\(place).\(getpid())"
        let descriptor = unsafe open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        let bytes = JSON.members(members).encoded()
        let written = unsafe write(descriptor, bytes, bytes.count)
        close(descriptor)
        if written == bytes.count { _ = unsafe rename(fresh, place) } else { _ = unsafe unlink(fresh) }
    }

    private static var cache: String? {
        let value = { (name: String) -> String? in
            environmentVariable(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        return value("XDG_CACHE_HOME") ?? value("HOME").map { $0 + "/.cache" }
    }
}
