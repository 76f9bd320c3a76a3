-- Who took part, how their sessions ended, and what was recorded: one row per
-- text of a study, origin and way of ending.
-- Runs unchanged on DuckDB and Spark, after the dataset's load.sql or load-spark.sql.
CREATE OR REPLACE TEMPORARY VIEW flow AS
WITH recorded AS (
  SELECT run, count(stimulus) AS clips, min(CASE WHEN stimulus IS NOT NULL THEN coverage END) AS lowest_coverage
  FROM steps GROUP BY run
)
SELECT sessions.study, sessions.study_sha256, sessions.origin, sessions.status, count(DISTINCT sessions.participant) AS participants,
  count(*) AS sessions, CAST(sum(recorded.clips) AS BIGINT) AS clips,
  CAST(sum(sessions.samples) AS BIGINT) AS samples,
  CAST(sum(CASE WHEN sessions.recovered THEN 1 ELSE 0 END) AS BIGINT) AS recovered,
  CAST(sum(CASE WHEN recorded.lowest_coverage < 0.9 THEN 1 ELSE 0 END) AS BIGINT) AS with_low_coverage
FROM sessions LEFT JOIN recorded ON recorded.run = sessions.run
GROUP BY sessions.study, sessions.study_sha256, sessions.origin, sessions.status;
