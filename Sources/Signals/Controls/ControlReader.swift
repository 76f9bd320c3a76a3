import Glibc
import Platform
import StudyModel
import Synchronization

/// A thread that reads a joystick or a MIDI device until it is stopped or the device goes away.
final class ControlReader: Sendable {
    enum Event: Sendable {
        case opened
        case moved(ControlPosition, at: RunInstant)
        /// The device is gone, or cannot be read, for this reason. Nothing comes after it.
        case lost(String)
    }

    private let device: ControlDevice
    private let now: @Sendable () -> RunInstant
    private let tell: @Sendable (Event) -> Void
    private let wake: WakePipe

    /// - Parameters:
    ///   - now: the run's clock.
    ///   - tell: takes what happens, on the thread; never blocks.
    init(
        _ device: ControlDevice, now: @escaping @Sendable () -> RunInstant,
        tell: @escaping @Sendable (Event) -> Void
    ) {
        (self.device, self.now, self.tell) = (device, now, tell)
        guard let wake = WakePipe() else { preconditionFailure("no pipe: error \(errno)") }
        self.wake = wake
    }

    func start() { DetachedThread.start { [self] in read() } }

    /// Ends the thread.
    func stop() { wake.ring() }

    /// Why a device cannot be read; `nil` if it can.
    static func problem(at path: String) -> String? {
        guard unsafe access(path, R_OK) != 0 else { return nil }
        return problem(at: path, error: errno)
    }

    private static func problem(at path: String, error: Int32) -> String {
        switch error {
        case ENOENT, ENODEV, ENXIO: "there is no device '\(path)': plug it in, and see 'entrain sources'"
        case EACCES, EPERM:
            "you may not read '\(path)': ask the administrator for the group 'input' or 'audio'"
        case EBUSY: "another program has '\(path)' open: close that program"
        default: "'\(path)' cannot be read: \(unsafe String(cString: strerror(error)))"
        }
    }

    private func read() {
        let descriptor = unsafe open(device.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            tell(.lost(Self.problem(at: device.path, error: errno)))
            return
        }
        defer { close(descriptor) }
        let isStamped = device.kind == .joystick && InputDevice.useMonotonicClock(descriptor)
        var positions = ControlPositions(device) { InputDevice.range(of: $0, descriptor) }
        tell(.opened)
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            var waited = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0), wake.awaited]
            let count = unsafe poll(&waited, nfds_t(waited.count), -1)
            if count < 0, errno == EINTR { continue }
            if waited[1].revents != 0 { return }
            let read = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            let (error, instant) = (errno, now())
            guard read > 0 else {
                if read < 0, error == EINTR || error == EAGAIN { continue }
                let reason = read == 0 ? ENODEV : error
                tell(
                    .lost(
                        reason == ENODEV
                            ? "'\(device.path)' was taken away"
                            : Self.problem(at: device.path, error: reason)))
                return
            }
            for (position, stamp) in positions.take(buffer[..<read]) {
                tell(.moved(position, at: isStamped ? Self.moment(of: stamp, read: instant) : instant))
            }
        }
    }

    /// When something happened by the monotonic clock; at most a second before it was read.
    private static func moment(of stamp: Int64?, read instant: RunInstant) -> RunInstant {
        guard let stamp else { return instant }
        let age = monotonicNanoseconds() &- stamp
        guard (0...1_000_000_000).contains(age) else { return instant }
        return max(.start, instant.advanced(by: .nanoseconds(-age)))
    }
}

/// Turns a device's bytes into positions of its two axes.
struct ControlPositions {
    private enum Decoder {
        case joystick(InputEventDecoder)
        case midi(ControlChangeDecoder)
    }

    private let device: ControlDevice
    private let ranges: (horizontal: ClosedRange<Int>, vertical: ClosedRange<Int>)
    private var decoder: Decoder

    /// - Parameter stated: the values at both ends of an axis, if the device states them.
    init(_ device: ControlDevice, stated: (Int) -> ClosedRange<Int>?) {
        self.device = device
        func range(_ axis: ControlDevice.Axis) -> ClosedRange<Int> {
            (device.kind == .joystick ? stated(axis.number) : nil) ?? device.kind.usualRange
        }
        ranges = (range(device.horizontal), range(device.vertical))
        switch device.kind {
        case .joystick: decoder = .joystick(InputEventDecoder())
        case .midi: decoder = .midi(ControlChangeDecoder(channel: device.channel))
        }
    }

    /// - Returns: each movement of the axes that count, with the device's own time if it gives one.
    mutating func take(_ bytes: some Collection<UInt8>) -> [(ControlPosition, stamp: Int64?)] {
        reports(bytes).compactMap { report in
            let position = ControlPosition(
                horizontal: report.values[device.horizontal.number].map {
                    device.horizontal.share(of: $0, in: ranges.horizontal)
                },
                vertical: report.values[device.vertical.number].map {
                    device.vertical.share(of: $0, in: ranges.vertical)
                })
            return position == ControlPosition() ? nil : (position, report.stamp)
        }
    }

    private mutating func reports(_ bytes: some Collection<UInt8>) -> [ControlReport] {
        switch decoder {
        case .joystick(var events):
            let reports = events.decode(bytes)
            decoder = .joystick(events)
            return reports
        case .midi(var changes):
            let reports = changes.decode(bytes)
            decoder = .midi(changes)
            return reports
        }
    }
}

/// Requests that only input devices of Linux answer (linux/input.h).
private enum InputDevice {
    /// `EVIOCSCLOCKID`.
    private static let setClock: UInt = 0x4004_45A0
    /// `EVIOCGABS(0)`, with 24 bytes of `struct input_absinfo`.
    private static let getAxis: UInt = 0x8018_4540

    /// Makes events carry the monotonic clock's time.
    ///
    /// - Returns: whether they do.
    static func useMonotonicClock(_ descriptor: Int32) -> Bool {
        var clock = CLOCK_MONOTONIC
        return unsafe ioctl(descriptor, setClock, &clock) == 0
    }

    /// The lowest and the highest value of an axis; `nil` if it is none.
    static func range(of axis: Int, _ descriptor: Int32) -> ClosedRange<Int>? {
        // value, minimum, maximum, fuzz, flat, resolution
        var facts = [Int32](repeating: 0, count: 6)
        guard unsafe ioctl(descriptor, getAxis + UInt(axis), &facts) == 0, facts[1] < facts[2] else {
            return nil
        }
        return Int(facts[1])...Int(facts[2])
    }
}
