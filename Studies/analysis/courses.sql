-- How each participant's heart went on after a clip's onset: the mean notified heart rate of every second, minus that of
-- the last 60 s of the rest before the clip. A rate holds for half of the time to each of its neighbours, at most 2.5 s;
-- a second has a mean where half of it is known. One row per clip and second, of the first hour.
-- The same figures as notified_change of `entrain analyse --over-time FILE`. The means over participants are in course_means.
-- Runs unchanged on DuckDB and Spark, after responses.sql.
CREATE OR REPLACE TEMPORARY VIEW courses AS
WITH near AS (
  SELECT clips.run, clips.position, clips.onset_seconds, clips.until_seconds, rates.offset_seconds, rates.bpm
  FROM heard_clips AS clips JOIN hearts AS rates
    ON rates.run = clips.run AND rates.step = clips.step AND rates.visit = clips.visit
  WHERE rates.offset_seconds <= clips.until_seconds
  UNION ALL
  SELECT clips.run, clips.position, clips.onset_seconds, clips.until_seconds, rates.offset_seconds, rates.bpm
  FROM heard_clips AS clips
  JOIN steps AS rests ON rests.run = clips.run AND rests.position = clips.rest_position
  JOIN hearts AS rates ON rates.run = rests.run AND rates.step = rests.step AND rates.visit = rests.visit
),
held AS (
  SELECT run, position, bpm,
    least(until_seconds - onset_seconds, 3600e0) AS length,
    greatest(offset_seconds - onset_seconds
      - least(coalesce(offset_seconds - lag(offset_seconds) OVER (ordered), 0e0), 5e0) / 2e0, 0e0) AS from_seconds,
    offset_seconds - onset_seconds
      + least(coalesce(lead(offset_seconds) OVER (ordered) - offset_seconds, 0e0), 5e0) / 2e0 AS to_seconds
  FROM near WINDOW ordered AS (PARTITION BY run, position ORDER BY offset_seconds)
),
-- A rate holds for at most 5 s, and so in at most 6 seconds.
parts AS (
  SELECT held.*, CAST(floor(from_seconds) AS INT) + later AS second
  FROM held CROSS JOIN (VALUES (0), (1), (2), (3), (4), (5)) AS steps_on (later)
  WHERE to_seconds > from_seconds
),
pieces AS (
  SELECT run, position, second, bpm,
    least(to_seconds, CAST(second + 1 AS DOUBLE)) - greatest(from_seconds, CAST(second AS DOUBLE)) AS known
  FROM parts WHERE second < to_seconds AND second + 1 <= length + 1e-9
),
seconds AS (
  SELECT run, position, second, sum(bpm * known) / sum(known) AS bpm
  FROM pieces GROUP BY run, position, second HAVING sum(known) >= 0.5e0 - 1e-9
)
SELECT responses.study, responses.study_sha256, responses.origin, responses.participant, responses.run,
  responses.position, responses.stimulus, responses.mood, responses.tempo, seconds.second,
  seconds.bpm - responses.baseline AS change
FROM responses JOIN seconds ON seconds.run = responses.run AND seconds.position = responses.position;

-- Each participant counts once in each second.
CREATE OR REPLACE TEMPORARY VIEW course_means AS
SELECT study, study_sha256, origin, second, count(*) AS participants, avg(change) AS mean, stddev_samp(change) AS deviation
FROM (
  SELECT study, study_sha256, origin, participant, second, avg(change) AS change
  FROM courses GROUP BY study, study_sha256, origin, participant, second
) AS people
GROUP BY study, study_sha256, origin, second;
