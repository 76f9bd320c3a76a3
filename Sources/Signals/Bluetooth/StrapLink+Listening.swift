import Physiology
import SessionPorts
import StudyModel

/// Interprets a strap's packets, and remembers when the last one came.
struct StrapNotifications: Hashable, Sendable {
    private(set) var clock = BeatClock()
    private var lastBeat: BeatTime?
    /// When the last packet came, or when notifications were requested.
    var lastWord: RunInstant?
    /// Packets that ended with half an interval, which was dropped.
    private(set) var halfIntervals = 0
    /// The strap's own count of energy, kilojoules: the first one and the newest.
    private(set) var energy: ClosedRange<Int>?
    /// Rates that came one after the other from the beginning, without any interval.
    private var ratesAlone = 0
    /// Times between peaks that an armband sent, and how many of them are not valid.
    private(set) var peakCount = 0
    private(set) var blockedPeakCount = 0

    /// After so many rates without an interval, none will come.
    private static let enough = 10
    /// Whether the strap's packets have rates and never an interval.
    var lacksIntervals: Bool { ratesAlone >= Self.enough }

    /// From here on, beats may be missed.
    mutating func interrupt() { clock.restart() }

    /// The sample in a packet; `nil` if the packet is invalid.
    mutating func sample(_ bytes: [UInt8], at now: RunInstant) -> HeartRateSample? {
        let measurement: HeartRateMeasurement
        do throws(HeartRateMeasurement.Malformed) {
            measurement = try HeartRateMeasurement(parsing: bytes.span)
        } catch {
            return nil
        }
        if measurement.hasHalfInterval { halfIntervals += 1 }
        if let total = measurement.energyExpended { energy = min(energy?.lowerBound ?? total, total)...total }
        let intervals = measurement.rrIntervals
        if let beat = clock.take(intervals, at: now.offset / .seconds(1)) {
            _ = remember(beat, until: now)
        }
        if !intervals.isEmpty {
            ratesAlone = .min
        } else if measurement.beatsPerMinute > 0 {
            ratesAlone += 1
        }
        let contact: Bool? =
            switch measurement.contact {
            case .notSupported: nil
            case .notDetected: false
            case .detected: true
            }
        return HeartRateSample(
            rate: measurement.beatsPerMinute > 0 ? Double(measurement.beatsPerMinute) : nil,
            rrIntervals: intervals, sensorContact: contact, lastBeat: lastBeat)
    }

    /// The samples in a frame of an armband's times between peaks: one for each row of valid ones. A time that is
    /// not valid is a gap, after which it is not known when a beat was.
    mutating func samples(of frame: PolarMeasurement.PeakIntervals, at now: RunInstant) -> [HeartRateSample] {
        var samples: [HeartRateSample] = []
        var rest = frame.lengths.reduce(0, +)
        for row in frame.seconds.split(separator: nil, omittingEmptySubsequences: false) {
            let intervals = row.compactMap(\.self)
            rest -= intervals.reduce(0, +)
            if let beat = clock.take(intervals, at: now.offset / .seconds(1) - rest) {
                samples.append(
                    HeartRateSample(rate: nil, rrIntervals: intervals, lastBeat: remember(beat, until: now)))
            }
            guard row.endIndex < frame.seconds.endIndex else { break }
            rest -= frame.lengths[row.endIndex]
            blockedPeakCount += 1
            clock.restart()
        }
        peakCount += frame.seconds.count
        return samples
    }

    private mutating func remember(_ beat: BeatEstimate, until now: RunInstant) -> BeatTime {
        let time = BeatTime(
            instant: min(.nanoseconds(Int64((beat.time * 1e9).rounded())), now),
            uncertainty: .nanoseconds(Int64((beat.uncertainty * 1e9).rounded())))
        lastBeat = time
        return time
    }
}

extension StrapLink {
    /// The notifications have started.
    mutating func listen(to device: String, _ characteristic: String, at now: RunInstant) -> [Action] {
        phase = .listening(device, characteristic: characteristic)
        notifications.lastWord = now
        return revive() + [wake(.silence, at: now.advanced(by: Self.silence))] + ask(device)
            + measure(device, at: now)
    }

    /// Takes a packet.
    mutating func take(
        _ bytes: [UInt8], from path: String, of device: String, at now: RunInstant
    ) -> [Action] {
        var actions: [Action] = []
        if case .subscribing(_, let characteristic) = phase, path == characteristic {
            // A packet may arrive before the answer to the call that requested it.
            actions = listen(to: device, characteristic, at: now)
        }
        if path == objects.characteristic(BlueZObjects.Identity.batteryLevel, of: device) {
            return actions + take(battery: bytes)
        }
        if let measured = takeMeasurement(bytes, from: path, of: device, at: now) {
            return actions + measured
        }
        guard case .listening(_, let characteristic) = phase, path == characteristic,
            let sample = notifications.sample(bytes, at: now)
        else { return actions }
        notifications.lastWord = now
        pause = Self.shortestPause
        if let address = objects.device(at: device)?.address { wanted = .at(address: address) }
        return actions + revive() + [.report(.sample(Timed(sample, at: now, arrival: now)))]
            + measureIntervals(of: device, at: now)
    }

    /// Asks for the strap's information, and for notifications about its battery. What the strap does not offer
    /// stays unknown.
    private mutating func ask(_ device: String) -> [Action] {
        typealias Name = BlueZObjects.Name
        var actions: [Action] = []
        if let known = objects.device(at: device) {
            let name = known.name == known.address ? nil : known.name
            actions += update(SourceInformation(device: name, identifier: known.address))
        }
        let facts: [(Purpose, String)] = [
            (.manufacturer, BlueZObjects.Identity.manufacturer), (.model, BlueZObjects.Identity.model),
            (.firmware, BlueZObjects.Identity.firmware),
        ]
        for (purpose, identity) in facts {
            guard let path = objects.characteristic(identity, of: device) else { continue }
            actions.append(call(purpose, path, Name.characteristic, "ReadValue", .noOptions))
        }
        if information.sensorLocation == nil,
            let location = objects.characteristic(BlueZObjects.Identity.bodySensorLocation, of: device)
        {
            actions.append(call(.location, location, Name.characteristic, "ReadValue", .noOptions))
        }
        // If BlueZ reads the battery itself, it hides the characteristic or keeps it up to date.
        if objects.device(at: device)?.battery != nil { return actions + takeBattery(of: device) }
        guard let level = objects.characteristic(BlueZObjects.Identity.batteryLevel, of: device) else {
            return actions
        }
        actions.append(call(.battery, level, Name.characteristic, "ReadValue", .noOptions))
        if objects.canNotify(level) {
            actions.append(call(.aside, level, Name.characteristic, "StartNotify"))
        }
        return actions
    }

    /// Takes the battery level that BlueZ reads.
    mutating func takeBattery(of device: String) -> [Action] {
        update(SourceInformation(battery: objects.device(at: device)?.battery))
    }

    /// Takes the battery level that the strap sends.
    mutating func take(battery bytes: [UInt8]?) -> [Action] {
        update(SourceInformation(battery: bytes?.first.flatMap { $0 <= 100 ? Int($0) : nil }))
    }

    /// Takes the strap's location on the body.
    mutating func take(location bytes: [UInt8]?) -> [Action] {
        let location = bytes?.first.flatMap(BodySensorLocation.init(rawValue:))
        return update(SourceInformation(sensorLocation: location?.name))
    }

    /// Takes a text that the strap says of itself.
    mutating func take(
        _ values: [BusValue], as fact: WritableKeyPath<SourceInformation, String?>
    ) -> [Action] {
        // Some end in a zero.
        let text = String(decoding: (values.first?.bytes ?? []).prefix { $0 != 0 }, as: UTF8.self)
        var news = SourceInformation()
        news[keyPath: fact] = text.isEmpty ? nil : text
        return update(news)
    }

    private mutating func update(_ news: SourceInformation) -> [Action] {
        let before = information
        information.update(with: news)
        return information == before ? [] : [.report(.told(information))]
    }

    /// The remarks for the end of the run.
    var remarks: [String] {
        let halves = notifications.halfIntervals
        return measuring.remarks
            + [
                Self.clockRemark(
                    "beats", breaks: notifications.clock.breaks,
                    residual: notifications.clock.largestResidual)
            ].compactMap(\.self)
            + (information.lowBattery.map { ["the battery is low, \($0) %: charge or change it"] } ?? [])
            + (halves > 0
                ? ["packets that ended within an interval, whose incomplete interval was left out: \(halves)"]
                : [])
            + (notifications.peakCount > 0
                ? [
                    "the armband's own times between peaks: \(notifications.peakCount), of which blocked by motion "
                        + "or without skin contact, and left out: \(notifications.blockedPeakCount)"
                ] : [])
            + (notifications.energy.map {
                ["the strap's own count of energy went from \($0.lowerBound) to \($0.upperBound) kJ"]
            } ?? [])
    }

    /// Checks that packets still come.
    mutating func watch(_ device: String, _ characteristic: String, at now: RunInstant) -> [Action] {
        let last = notifications.lastWord ?? now
        let quiet = last.duration(to: now)
        if quiet < Self.silence { return [wake(.silence, at: last.advanced(by: Self.silence))] }
        notifications.interrupt()
        guard quiet >= Self.deadSilence else {
            return lose("the strap is connected but sends nothing")
                + [wake(.silence, at: last.advanced(by: Self.deadSilence))]
        }
        return [
            call(.aside, characteristic, BlueZObjects.Name.characteristic, "StopNotify"),
            call(.aside, device, BlueZObjects.Name.device, "Disconnect"),
        ] + retry("the strap sends nothing: connecting again", at: now)
    }
}

extension BlueZObjects {
    /// The packet in a signal, if it is one.
    func notified(_ path: String, _ interface: String, _ member: String, _ values: [BusValue]) -> [UInt8]? {
        guard interface == Name.properties, member == "PropertiesChanged", values.count >= 2,
            values[0].text == Name.characteristic
        else { return nil }
        return values[1].map?["Value"]?.bytes
    }
}
