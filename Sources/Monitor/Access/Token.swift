import CNettle
import GRDB
import Hashing
package import MonitorInterface
import Platform
import Results

/// A token as the store keeps it, which is never the token itself.
package struct Token: Hashable, Sendable {
    /// What its owner calls it.
    package var name: String
    /// What it allows; at least one.
    var scopes: Set<Scope>
    /// SHA-256 of the token, 64 hexadecimal digits.
    var hash: String

    /// Whether it may do what a scope permits.
    func permits(_ scope: Scope) -> Bool { scopes.contains { $0.permits(scope) } }

    /// The names of its scopes, in a fixed order.
    package var scopeNames: [String] { scopes.map(\.rawValue).sorted() }

    /// The scopes of a stored token; `nil` if there is one that only another version knows: then it opens nothing.
    static func scopes(stored text: String) -> Set<Scope>? {
        let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let scopes = words.compactMap(Scope.init)
        return scopes.count == words.count ? Set(scopes) : nil
    }

    /// Whether this is the token with that hash. The comparison always takes the same time.
    func hasHash(_ other: String) -> Bool {
        let left = Array(hash.utf8)
        let right = Array(other.utf8)
        guard left.count == right.count else { return false }
        return unsafe nettle_memeql_sec(left, right, left.count) == 1
    }

    /// 256 random bits as text, with a prefix by which leaked tokens can be found.
    static func random() -> String {
        "entrain_" + SHA256.hexadecimal(digest: randomBytes(32))
    }
}

extension Store {
    /// Makes a token. The returned text is shown once and stored nowhere.
    ///
    /// - Parameters:
    ///   - scopes: what it allows; at least one.
    ///   - now: seconds since 1970.
    package func createToken(named name: String, scopes: Set<Scope>, now: Double) throws(StoreFailure)
        -> String
    {
        let text = Token.random()
        let token = Token(name: name, scopes: scopes, hash: SHA256.hexadecimal(of: text))
        do {
            try pool.write { database in
                try database.execute(
                    sql: "INSERT INTO token (name, scope, hash, created) VALUES (?, ?, ?, ?)",
                    arguments: [name, token.scopeNames.joined(separator: ","), token.hash, now])
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            throw StoreFailure("there is a token '\(name)' already; revoke it or choose another name")
        } catch {
            throw StoreFailure("cannot keep the token: \(error)")
        }
        return text
    }

    /// All tokens, by name.
    package func tokens() throws(StoreFailure) -> [Token] {
        do {
            return try reader.read { database in
                try Row.fetchAll(database, sql: "SELECT name, scope, hash FROM token ORDER BY name")
                    .compactMap { row in
                        Token.scopes(stored: row["scope"]).map {
                            Token(name: row["name"], scopes: $0, hash: row["hash"])
                        }
                    }
            }
        } catch {
            throw StoreFailure("cannot read the tokens: \(error)")
        }
    }

    /// Revokes a token.
    ///
    /// - Returns: whether there was a token with that name.
    package func revokeToken(named name: String) throws(StoreFailure) -> Bool {
        do {
            return try pool.write { database in
                try database.execute(sql: "DELETE FROM token WHERE name = ?", arguments: [name])
                return database.changesCount > 0
            }
        } catch {
            throw StoreFailure("cannot revoke the token: \(error)")
        }
    }
}
