import GRDB
import Glibc
import Platform
import Results

/// Everything that the monitor stores, in one SQLite database in write-ahead mode.
///
/// When `commit` returns, its entries are on disk, because the log is synced with every transaction (`synchronous =
/// FULL`).
package struct Store: Sendable {
    let pool: DatabasePool
    /// A reader for code that does not suspend. If such code took the pool's readers, it could occupy all threads
    /// while others that have readers wait for one, and nothing would ever be answered.
    let reader: DatabaseQueue
    /// The folder that holds the database.
    package let folder: String
    let finishedExtents = FinishedExtents()
    private let path: String
    private let quota: Int

    /// Opens the database in a folder, or creates it, and upgrades it to the current schema.
    ///
    /// - Parameters:
    ///   - folder: created with mode 0700 if missing; the database's files have mode 0600.
    ///   - quota: bytes that the database may fill before writing is refused.
    package init(folder: String, quota: Int = Limits().storedBytes) throws(StoreFailure) {
        umask(0o077)
        if unsafe mkdir(folder, 0o700) != 0, errno != EEXIST {
            throw StoreFailure("cannot make the folder \(folder): \(systemMessage(errno))")
        }
        var status = stat()
        guard unsafe lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw StoreFailure("cannot keep data in \(folder): it is a link or no folder")
        }
        guard status.st_mode & S_IWOTH == 0 else {
            throw StoreFailure(
                "cannot keep data in \(folder), to which everybody may write: first give 'chmod o-w \(folder)'"
            )
        }
        self.quota = quota
        self.folder = folder
        path = folder + "/monitor.sqlite"
        var configuration = Configuration()
        configuration.label = "monitor"
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = 4
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA foreign_keys = ON")
            // What is deleted is overwritten.
            try database.execute(sql: "PRAGMA secure_delete = ON")
        }
        do {
            pool = try DatabasePool(path: path, configuration: configuration)
            // The pool has just set NORMAL, with which a power cut may undo acknowledged transactions.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            try Self.migrations.migrate(pool)
            configuration.readonly = true
            reader = try DatabaseQueue(path: path, configuration: configuration)
        } catch {
            throw StoreFailure("cannot open \(path): \(error)")
        }
    }

    private static var migrations: DatabaseMigrator {
        var migrations = DatabaseMigrator()
        migrations.registerMigration("1: sessions, records, deliveries and tokens") { database in
            try database.execute(
                sql: """
                    CREATE TABLE session (
                        number INTEGER PRIMARY KEY,
                        id TEXT NOT NULL UNIQUE,
                        kind TEXT NOT NULL,
                        started REAL NOT NULL,
                        ended REAL,
                        outcome TEXT,
                        participant TEXT,
                        description TEXT NOT NULL
                    ) STRICT;
                    CREATE INDEX session_participant ON session (participant);
                    CREATE TABLE record (
                        number INTEGER PRIMARY KEY,
                        session INTEGER REFERENCES session (number),
                        kind INTEGER NOT NULL,
                        time REAL NOT NULL,
                        elapsed REAL NOT NULL,
                        received REAL NOT NULL,
                        rate REAL,
                        name TEXT,
                        sequence INTEGER,
                        content TEXT
                    ) STRICT;
                    CREATE INDEX record_session ON record (session);
                    CREATE INDEX record_time ON record (time);
                    CREATE UNIQUE INDEX record_sequence ON record (session, sequence) WHERE sequence IS NOT NULL;
                    CREATE TABLE delivery (
                        key TEXT NOT NULL,
                        session TEXT NOT NULL,
                        count INTEGER NOT NULL,
                        last INTEGER NOT NULL,
                        PRIMARY KEY (key, session)
                    ) STRICT, WITHOUT ROWID;
                    CREATE TABLE token (
                        number INTEGER PRIMARY KEY,
                        name TEXT NOT NULL UNIQUE,
                        scope TEXT NOT NULL,
                        hash TEXT NOT NULL,
                        created REAL NOT NULL
                    ) STRICT;
                    """)
        }
        registerSigns(in: &migrations)
        registerAlarms(in: &migrations)
        registerDeletions(in: &migrations)
        registerSignIns(in: &migrations)
        return migrations
    }

    private static func registerSigns(in migrations: inout DatabaseMigrator) {
        migrations.registerMigration("2: signs of life, senders, speeds, and readings in order of time") {
            database in
            try database.execute(
                sql: """
                    ALTER TABLE session ADD COLUMN contact REAL;
                    ALTER TABLE session ADD COLUMN source TEXT;
                    ALTER TABLE session ADD COLUMN speed REAL;
                    CREATE INDEX record_measured ON record (session, time) WHERE kind = 0;
                    """)
        }
    }

    /// Bytes of the database and its log.
    var storedBytes: Int {
        [path, path + "-wal"].reduce(0) { total, path in
            var status = stat()
            return unsafe stat(path, &status) == 0 ? total + Int(status.st_size) : total
        }
    }

    /// Whether the quota is used up.
    var isFull: Bool { storedBytes >= quota }

    /// Puts the log into the database and closes it; later calls fail.
    package func close() throws(StoreFailure) {
        do {
            try reader.close()
            try pool.close()
        } catch {
            throw StoreFailure("cannot close \(path): \(error)")
        }
    }
}

/// A database that cannot be used.
package struct StoreFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String

    init(_ description: String) { self.description = description }
}
