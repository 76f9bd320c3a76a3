-- How each participant's heart answered each clip: the mean heart rate from 5 s after the clip's onset to its end,
-- minus that of the last 60 s of the rest before it, both weighted by time. One row per clip that has both;
-- short_baseline says that less than 30 s of the rest were recorded.
-- What was simulated or replayed has its own origin, and each text of a study its own study_sha256: keep them apart.
-- Runs unchanged on DuckDB and Spark, after the dataset's load.sql or load-spark.sql.
-- Of the rates as they were notified: the same figures as notifiedBaseline and notifiedChange of `entrain analyse
-- --format json`. Where intervals cover rest and clip, `entrain analyse` and `entrain show` take those, since a strap smooths
-- what it notifies. That, and how RMSSD changed, needs artefacts corrected beat by beat and is not for SQL.
-- The view hearts of the dataset has the heart rates that count.

-- Every clip that was heard to its end, with the rest before it.
CREATE OR REPLACE TEMPORARY VIEW heard_clips AS
WITH recorded AS (SELECT run, step, visit, count(*) AS rates FROM hearts GROUP BY run, step, visit),
visits AS (
  SELECT steps.run, steps.position, steps.step, steps.visit, stimulus, mood, tempo, skipped OR replaced AS skipped, onset_seconds, coverage,
    coalesce(offset_seconds, end_seconds) AS until_seconds,
    max(CASE WHEN stimulus IS NULL AND NOT replaced AND recorded.rates > 0 THEN position END) OVER before AS rest_position,
    max(CASE WHEN stimulus IS NOT NULL AND NOT replaced THEN position END) OVER before AS clip_position
  FROM steps LEFT JOIN recorded
    ON recorded.run = steps.run AND recorded.step = steps.step AND recorded.visit = steps.visit
  WINDOW before AS (
    PARTITION BY steps.run ORDER BY steps.position ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
),
-- Of several runs of a session the last completed one counts, or the last of all if none was completed.
counted AS (
  SELECT run, row_number() OVER (
      PARTITION BY study, task, participant, session, CASE WHEN origin IN ('simulated', 'replayed') THEN run END
      ORDER BY CASE WHEN status = 'completed' THEN 0 ELSE 1 END, start DESC, run DESC) AS place
  FROM sessions
)
SELECT visits.*, sessions.study, sessions.study_sha256, sessions.origin, sessions.participant
FROM visits JOIN sessions ON sessions.run = visits.run
JOIN counted ON counted.run = visits.run AND counted.place = 1
WHERE visits.stimulus IS NOT NULL AND NOT visits.skipped AND visits.onset_seconds IS NOT NULL
  AND sessions.status <> 'discarded'
  AND (visits.clip_position IS NULL OR visits.rest_position > visits.clip_position);

CREATE OR REPLACE TEMPORARY VIEW responses AS
WITH stretches AS (
  SELECT run, position, 'clip' AS part, step, visit, onset_seconds + 5 AS from_seconds, until_seconds
  FROM heard_clips AS clips
  UNION ALL
  SELECT clips.run, clips.position, 'rest' AS part, rests.step, rests.visit,
    rests.end_seconds - 60 AS from_seconds, rests.end_seconds AS until_seconds
  FROM heard_clips AS clips JOIN steps AS rests ON rests.run = clips.run AND rests.position = clips.rest_position
),
-- A sample counts for half of the time to each of its neighbours, each gap for at most 5 s.
weighted AS (
  SELECT stretches.run, stretches.position, stretches.part, rates.bpm,
    stretches.until_seconds - rates.offset_seconds AS before_end,
    least(coalesce(rates.offset_seconds - lag(rates.offset_seconds) OVER (ordered), 0e0), 5e0)
      + least(coalesce(lead(rates.offset_seconds) OVER (ordered) - rates.offset_seconds, 0e0), 5e0) AS weight
  FROM stretches JOIN hearts AS rates ON rates.run = stretches.run AND rates.step = stretches.step
    AND rates.visit = stretches.visit
    AND rates.offset_seconds BETWEEN stretches.from_seconds AND stretches.until_seconds
  WINDOW ordered AS (
    PARTITION BY stretches.run, stretches.position, stretches.part ORDER BY rates.offset_seconds)
),
means AS (
  SELECT run, position, part, count(*) AS samples, max(before_end) AS seconds,
    CASE WHEN sum(weight) > 0 THEN sum(bpm * weight) / sum(weight) ELSE avg(bpm) END AS bpm
  FROM weighted GROUP BY run, position, part
)
SELECT clips.study, clips.study_sha256, clips.origin, clips.participant, clips.run, clips.position, clips.stimulus, clips.mood, clips.tempo,
  clips.coverage, rest.bpm AS baseline, clip.bpm - rest.bpm AS change,
  -- The first sample stands for up to the second before it.
  rest.seconds + 1 < 30 AS short_baseline
FROM heard_clips AS clips
JOIN means AS rest ON rest.run = clips.run AND rest.position = clips.position AND rest.part = 'rest'
JOIN means AS clip ON clip.run = clips.run AND clip.position = clips.position AND clip.part = 'clip'
WHERE rest.samples >= 5 AND clip.samples >= 5;
