import GRDB
import Hashing
import Results

/// Sign-ins of browsers. A cookie holds a random value that leads to the token with which somebody signed in, and never
/// the token; nobody can do anything with it after signing out.
extension Store {
    /// How long a sign-in lasts, s.
    static let signInLasts = 30 * 86_400.0

    static func registerSignIns(in migrations: inout DatabaseMigrator) {
        migrations.registerMigration("6: sign-ins, and the secrets of runs") { database in
            try database.execute(
                sql: """
                    CREATE TABLE sign_in (hash TEXT PRIMARY KEY, token TEXT NOT NULL, began REAL NOT NULL)
                        STRICT, WITHOUT ROWID;
                    ALTER TABLE session ADD COLUMN secret TEXT;
                    """)
        }
    }

    /// - Parameter now: seconds since 1970.
    /// - Returns: the cookie's value, which is stored nowhere.
    func signIn(with token: Token, now: Double) async throws -> String {
        let value = Token.random()
        try await pool.write { database in
            try database.execute(
                sql: "DELETE FROM sign_in WHERE began < ?", arguments: [now - Self.signInLasts])
            try database.execute(
                sql: "INSERT INTO sign_in (hash, token, began) VALUES (?, ?, ?)",
                arguments: [SHA256.hexadecimal(of: value), token.hash, now])
        }
        return value
    }

    func signOut(_ value: String) async throws {
        try await pool.write { database in
            try database.execute(
                sql: "DELETE FROM sign_in WHERE hash = ?",
                arguments: [SHA256.hexadecimal(of: value)])
        }
    }

    /// The hash of the token with which somebody signed in; `nil` if they did not, or signed out.
    func tokenHash(ofSignIn value: String, now: Double) throws(StoreFailure) -> String? {
        do {
            return try reader.read { database in
                try String.fetchOne(
                    database.cachedStatement(sql: "SELECT token FROM sign_in WHERE hash = ? AND began >= ?"),
                    arguments: [SHA256.hexadecimal(of: value), now - Self.signInLasts])
            }
        } catch {
            throw StoreFailure("cannot read the sign-ins: \(error)")
        }
    }
}

/// Runs belong to who began them.
extension Store {
    /// - Parameter secret: what came with a message about a run, or with a question what experimenters want of it.
    /// - Throws: `Refusal` if the run was begun with another secret.
    func mustBelong(_ run: String, to secret: String?) async throws {
        let kept = try await pool.read { database in
            try String.fetchOne(
                database.cachedStatement(sql: "SELECT secret FROM session WHERE id = ?"), arguments: [run])
        }
        guard let kept, kept != secret.map({ SHA256.hexadecimal(of: $0) }) else { return }
        throw Refusal(.forbidden, "this run belongs to the program that began it, which alone has its secret")
    }
}
