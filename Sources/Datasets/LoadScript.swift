/// SQL that loads a dataset with explicit types: from the NDJSON files, whose texts are unchanged, or from Parquet,
/// which contains the types.
enum LoadScript: CaseIterable {
    case duckDB, spark, sqlite

    var fileName: String {
        switch self {
        case .duckDB: "load.sql"
        case .spark: "load-spark.sql"
        case .sqlite: "load-sqlite.sql"
        }
    }

    func text(for index: DatasetIndex) -> String {
        let tables = Table.allCases.map { table in
            switch self {
            case .duckDB: duckDBView(of: table, index.format)
            case .spark: sparkView(of: table, index.format)
            case .sqlite: sqliteTable(of: table, index)
            }
        }
        return header(index.format) + "\n" + tables.joined(separator: "\n") + "\n" + hearts + labelled
            + counts(index)
            + (self == .sqlite ? "COMMIT;\n" : "")
    }

    private func header(_ format: TableFormat) -> String {
        switch self {
        case .duckDB:
            """
            -- For DuckDB, in the dataset's folder: duckdb -init load.sql
            -- Times are UTC.
            \(format == .parquet ? "SET TimeZone = 'UTC';\n" : "")
            """
        case .spark:
            """
            -- For Spark, in the dataset's folder: spark-sql -i load-spark.sql
            -- Set spark.sql.session.timeZone to UTC to see times as they are written.

            """
        case .sqlite:
            """
            -- For SQLite, in the dataset's folder: sqlite3 dataset.db < load-sqlite.sql
            -- Times are texts in UTC; booleans are 0 and 1.
            .bail on
            .mode ascii
            .separator "\\037" "\\n"
            BEGIN;
            CREATE TEMPORARY TABLE line (line TEXT);

            """
        }
    }

    private func columns(of table: Table, _ write: (Table.Column) -> String) -> String {
        table.columns.map { "  " + write($0) }.joined(separator: ",\n")
    }

    private func duckDBView(of table: Table, _ format: TableFormat) -> String {
        switch format {
        case .parquet:
            """
            CREATE OR REPLACE VIEW \(table.rawValue) AS
            SELECT * FROM read_parquet('\(DatasetIndex.parquetFolder)/\(table.rawValue)/part-*.parquet', hive_partitioning = false);

            """
        case .csv:
            """
            CREATE OR REPLACE VIEW \(table.rawValue) AS
            SELECT * FROM read_json('\(table.rawValue)/*/*/part-*.ndjson', format = 'newline_delimited',
              hive_partitioning = false, columns = {
            \(columns(of: table) { "  '\($0.name)': '\(type(of: $0.kind))'" })
              });

            """
        }
    }

    private func sparkView(of table: Table, _ format: TableFormat) -> String {
        switch format {
        case .parquet:
            """
            CREATE OR REPLACE TEMPORARY VIEW \(table.rawValue)
            USING parquet OPTIONS (path '\(DatasetIndex.parquetFolder)/\(table.rawValue)');

            """
        case .csv:
            """
            CREATE OR REPLACE TEMPORARY VIEW \(table.rawValue) (
            \(columns(of: table) { "\($0.name) \(type(of: $0.kind))" })
            ) USING json OPTIONS (
              path '\(table.rawValue)', recursiveFileLookup 'true', pathGlobFilter 'part-*.ndjson', mode 'FAILFAST');

            """
        }
    }

    private func sqliteTable(of table: Table, _ index: DatasetIndex) -> String {
        let imports = index.parts.filter { $0.tables[table] != nil }.map {
            ".import '\($0.path(of: table, as: .ndjson))' line"
        }
        let key = table.key.isEmpty ? "" : ",\n  PRIMARY KEY (\(table.key.joined(separator: ", ")))"
        return """
            DROP TABLE IF EXISTS \(table.rawValue);
            CREATE TABLE \(table.rawValue) (
            \(columns(of: table) { "\($0.name) \(type(of: $0.kind))\($0.isRequired ? " NOT NULL" : "")" })\(key)
            );
            DELETE FROM line;
            \(imports.joined(separator: "\n"))
            INSERT INTO \(table.rawValue) SELECT
            \(columns(of: table) { "json_extract(line, '$.\($0.name)')" })
            FROM line;

            """
    }

    private func create(_ view: String) -> String {
        switch self {
        case .duckDB: "CREATE OR REPLACE VIEW \(view) AS"
        case .spark: "CREATE OR REPLACE TEMPORARY VIEW \(view) AS"
        case .sqlite: "DROP VIEW IF EXISTS \(view);\nCREATE VIEW \(view) AS"
        }
    }

    /// Views of the heart rates and intervals that count.
    private var hearts: String {
        let columns = "run study participant session step visit stimulus recorder offset_seconds".split(
            separator: " ")
        let ofBeats = columns.map { "beats.\($0)" }.joined(separator: ", ")
        let isLast = "run NOT IN (SELECT continues FROM sessions WHERE continues IS NOT NULL)"
        return """
            -- The intervals that count, each once: of one source and one recorder, in steps that were not repeated, of
            -- runs that no other run continues.
            \(create("intervals"))
            SELECT * FROM beats WHERE counted AND \(isLast);

            -- The heart rates that count, likewise. Where the study finds them in a waveform, they are those of its beats.
            \(create("hearts"))
            SELECT \(columns.joined(separator: ", ")), bpm, source
            FROM samples WHERE counted AND \(isLast)
            UNION ALL
            SELECT \(ofBeats), 60 / beats.rr_seconds AS bpm, beats.source
            FROM intervals AS beats JOIN steps ON steps.run = beats.run AND steps.step = beats.step
              AND steps.visit = beats.visit AND steps.beats_recorder = beats.recorder;


            """
    }

    /// A view of the answers with the words of the question and of the answer.
    private var labelled: String {
        """
        -- Each answer with the title of its question and, if its value has a meaning, the label.
        \(create("labelled"))
        SELECT answers.run, answers.study, answers.participant, answers.session, sessions.arm, answers.step, answers.visit,
          answers.stimulus, answers.question, asked.title, answers.kind, answers.answer, answers.value, meant.label
        FROM answers JOIN sessions ON sessions.run = answers.run
        LEFT JOIN (SELECT DISTINCT * FROM codebook) AS asked ON asked.study_sha256 = sessions.study_sha256 AND asked.task = sessions.task
          AND asked.step = answers.step AND asked.question = answers.question AND coalesce(asked.place, 1) = 1
          AND coalesce(asked.language, sessions.language, '') = coalesce(sessions.language, '')
        LEFT JOIN (SELECT DISTINCT * FROM codebook) AS meant ON meant.study_sha256 = asked.study_sha256 AND meant.task = asked.task
          AND meant.step = asked.step AND meant.question = asked.question
          AND coalesce(meant.language, '') = coalesce(asked.language, '') AND meant.value = answers.answer;


        """
    }

    /// The name of the file with the number of rows of each table that `sessions` does not count. Where scripts of several
    /// datasets are made one, each dataset has its own.
    static let promisedName = "promised.ndjson"

    static func promised(by index: DatasetIndex) -> [UInt8] {
        Table.allCases.filter { !Table.counted.contains($0) }.flatMap {
            Array("{\"name\":\"\($0.rawValue)\",\"promised\":\(index.rows(of: $0))}\n".utf8)
        }
    }

    private var promised: String {
        switch self {
        case .duckDB:
            """
            CREATE OR REPLACE VIEW promised AS SELECT * FROM read_json('\(Self.promisedName)',
              format = 'newline_delimited', columns = {'name': 'VARCHAR', 'promised': 'BIGINT'});

            """
        case .spark:
            """
            CREATE OR REPLACE TEMPORARY VIEW promised (name STRING, promised BIGINT)
            USING json OPTIONS (path '\(Self.promisedName)', mode 'FAILFAST');

            """
        case .sqlite: ""
        }
    }

    private func counts(_ index: DatasetIndex) -> String {
        let counts = Table.allCases.map { table in
            let promised =
                switch (Table.counted.contains(table), self) {
                case (true, _): "(SELECT sum(\(table.rawValue)) FROM sessions)"
                case (false, .sqlite): "\(index.rows(of: table))"
                case (false, _): "(SELECT sum(promised) FROM promised WHERE name = '\(table.rawValue)')"
                }
            return """
                SELECT '\(table.rawValue)' AS name, (SELECT count(*) FROM \(table.rawValue)) AS found,
                  \(promised) AS promised
                """
        }
        return promised + """
            -- Nothing is lost where found and promised are the same in every row.
            \(create("counts"))
            \(counts.joined(separator: "\nUNION ALL\n"));

            """
    }

    private func type(of kind: Table.Kind) -> String {
        switch (self, kind) {
        case (.duckDB, .text): "VARCHAR"
        case (.spark, .text): "STRING"
        case (.sqlite, .text), (.sqlite, .time): "TEXT"
        case (.duckDB, .integer), (.spark, .integer): "BIGINT"
        case (.sqlite, .integer), (.sqlite, .boolean): "INTEGER"
        case (.duckDB, .real), (.spark, .real): "DOUBLE"
        case (.sqlite, .real): "REAL"
        case (.duckDB, .boolean), (.spark, .boolean): "BOOLEAN"
        case (.duckDB, .time), (.spark, .time): "TIMESTAMP"
        }
    }
}
