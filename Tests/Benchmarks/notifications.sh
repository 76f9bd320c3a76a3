#!/bin/sh
# How many notifications of a heart-rate strap are parsed in a second, on one core, optimised.
set -eu
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/main.swift" <<'END'
import Glibc

let packets: [(String, [[UInt8]])] = [
    ("no intervals", [[0x06, 72]]), ("one interval", [[0x16, 72, 0x54, 3]]),
    ("nine intervals", [[0x16, 72] + (0..<18).map { UInt8($0) }]),
]
for (name, kinds) in packets {
    var sum = 0
    let count = 5_000_000
    let start = ContinuousClock.now
    for index in 0..<count {
        let packet = kinds[index % kinds.count]
        do throws(HeartRateMeasurement.Malformed) {
            let read = try HeartRateMeasurement(parsing: packet.span)
            sum &+= read.beatsPerMinute &+ read.rawIntervals.count
        } catch { sum &-= 1 }
    }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    print("\(name): \((Double(count) / seconds / 1e5).rounded() / 10) million a second (sum \(sum))")
}
END
swiftc -O -swift-version 6 -package-name entrain Sources/Physiology/Strap/HeartRateMeasurement.swift \
    "$folder/main.swift" -o "$folder/benchmark"
"$folder/benchmark"
