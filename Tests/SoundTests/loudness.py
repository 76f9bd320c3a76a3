#!/usr/bin/env python3
"""Compares what `entrain clips` measures with ffmpeg's ebur128: within 0.1 LU and 0.2 dB, else status 1.

usage: loudness.py --entrain PROGRAM [CATALOGUE]
"""
import argparse, json, os, re, shutil, subprocess, sys

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--entrain", required=True)
media = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Media", "clips.yaml")
parser.add_argument("catalogue", nargs="?", default=media)
options = parser.parse_args()
if not shutil.which("ffmpeg"):
    sys.exit(print("skipped: ffmpeg is not installed"))
listed = subprocess.run(
    [options.entrain, "clips", options.catalogue, "--format", "json"], capture_output=True, text=True, check=True)
worst = 0
for clip in json.loads(listed.stdout):
    if "loudness" not in clip:
        sys.exit(print("skipped: libebur128 is not installed"))
    path = os.path.join(os.path.dirname(options.catalogue), clip["file"])
    said = subprocess.run(
        ["ffmpeg", "-nostats", "-hide_banner", "-i", path, "-af", "ebur128=peak=true", "-f", "null", "-"],
        capture_output=True, text=True, check=True).stderr.split("Summary:")[-1]
    loudness, peak = (float(re.search(name + r":\s+(-?[0-9.]+)", said).group(1)) for name in ["I", "Peak"])
    off = abs(loudness - clip["loudness"])
    worst = max(worst, off)
    print(f"{clip['identifier']}: {clip['loudness']:.3f} LUFS, by ffmpeg {loudness:.1f}; "
          f"{clip['truePeak']:.2f} dBTP, by ffmpeg {peak:.1f}")
    if off > 0.1 or abs(peak - clip["truePeak"]) > 0.2:
        sys.exit("they differ")
print(f"largest difference {worst:.3f} LU")
