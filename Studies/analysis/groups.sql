-- The mean response of the notified heart rates over participants, each counted once with the mean of their clips: over all clips, by band of
-- tempo, by mood and by clip. t is that of the paired t test with participants - 1 degrees of freedom.
-- Of the rates as they were notified; `entrain analyse` takes intervals where they cover rest and clip.
-- Each text of a study stands apart, and so do runs that were simulated or replayed.
-- Runs unchanged on DuckDB and Spark, after responses.sql.
CREATE OR REPLACE TEMPORARY VIEW response_groups AS
WITH labelled AS (
  SELECT study, study_sha256, origin, participant, 'all' AS kind, 'all clips' AS name, change FROM responses
  UNION ALL
  SELECT study, study_sha256, origin, participant, 'tempo' AS kind,
    CASE WHEN tempo < 80 THEN 'tempo below 80' WHEN tempo < 120 THEN 'tempo 80 to 119'
      ELSE 'tempo 120 and above' END AS name, change
  FROM responses WHERE tempo IS NOT NULL
  UNION ALL
  SELECT study, study_sha256, origin, participant, 'mood' AS kind, mood AS name, change FROM responses WHERE mood IS NOT NULL
  UNION ALL
  SELECT study, study_sha256, origin, participant, 'clip' AS kind, stimulus AS name, change FROM responses
),
participants AS (
  SELECT study, study_sha256, origin, kind, name, participant, count(*) AS clips, avg(change) AS change
  FROM labelled GROUP BY study, study_sha256, origin, kind, name, participant
)
SELECT study, study_sha256, origin, kind, name, CAST(sum(clips) AS BIGINT) AS clips, count(*) AS participants, avg(change) AS mean,
  stddev_samp(change) AS deviation,
  CASE WHEN stddev_samp(change) > 1e-9 THEN avg(change) / stddev_samp(change) END AS dz,
  CASE WHEN stddev_samp(change) > 1e-9 THEN avg(change) / stddev_samp(change) * sqrt(count(*)) END AS t
FROM participants GROUP BY study, study_sha256, origin, kind, name;
