import CLoaded
import Glibc
import Platform
import StudyModel
import Synchronization

/// A method to call over a bus.
struct BusCall: Hashable, Sendable {
    /// The argument of a call.
    enum Argument: Hashable, Sendable {
        case none
        /// An empty map of options.
        case noOptions
        /// Low energy only, and only devices that offer the service of this UUID.
        case discovery(service: String)
        case text(String)
        /// At most 64 bytes, and an empty map of options.
        case bytes([UInt8])
    }

    /// The number of the call, by which its answer is recognised; never 0.
    var number: Int64
    var path: String
    var interface: String
    var member: String
    var argument = Argument.none
    /// How long the answer may take.
    var limit = Duration.seconds(10)
}

/// A connection to a bus, and the thread that runs it.
@safe final class BusConnection: Sendable {
    private struct State {
        var calls: [BusCall] = []
        var isStopping = false
        /// Whether the connection's memory has been freed.
        var isOver = false
    }

    /// Receives messages from the bus, on the thread that runs the connection.
    private final class MessageListener: Sendable {
        let tell: @Sendable (BusMessage) -> Void
        init(_ tell: @escaping @Sendable (BusMessage) -> Void) { self.tell = tell }
    }

    // SAFETY: only the thread touches what is behind it, except for waking it, which the lock keeps off its end.
    nonisolated(unsafe) private let bus: OpaquePointer
    private let state = Mutex(State())
    private let destination: String
    private let listener: MessageListener

    /// Connects, and subscribes to all signals of one program, and to its appearance and disappearance.
    ///
    /// - Parameters:
    ///   - address: the address of the bus; `nil` for the system's, which `DBUS_SYSTEM_BUS_ADDRESS` may name.
    ///   - destination: the program that is called, such as `org.bluez`.
    ///   - tell: receives messages, on the connection's own thread.
    init(
        address: String? = nil, destination: String, tell: @escaping @Sendable (BusMessage) -> Void
    ) throws(SourceFailure) {
        if let problem = unsafe entrain_bus_load() {
            throw SourceFailure(
                "Bluetooth is reached through libsystemd, and it cannot be loaded ("
                    + (unsafe String(cString: problem)) + "): install Debian's package libsystemd0")
        }
        listener = MessageListener(tell)
        self.destination = destination
        var error: Int32 = 0
        let open = { (address: UnsafePointer<CChar>?, context: UnsafeMutableRawPointer, error: inout Int32) in
            unsafe entrain_bus_open(
                address,
                { context, number, message in
                    guard let context = unsafe context, let message = unsafe message else { return }
                    unsafe Unmanaged<MessageListener>.fromOpaque(context).takeUnretainedValue()
                        .tell(BusMessage(number, message))
                }, context, &error)
        }
        let context = unsafe Unmanaged.passUnretained(listener).toOpaque()
        let opened: OpaquePointer? =
            if let address {
                unsafe address.withCString { unsafe open($0, context, &error) }
            } else {
                unsafe open(nil, context, &error)
            }
        guard let bus = unsafe opened else {
            throw SourceFailure(
                "the system's bus (D-Bus) cannot be reached: \(systemMessage(-error)). "
                    + "Bluetooth needs it: start dbus and bluetoothd, or set DBUS_SYSTEM_BUS_ADDRESS")
        }
        unsafe self.bus = bus
        for rule in [
            "type='signal',sender='\(destination)'",
            "type='signal',interface='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(destination)'",
        ] { unsafe entrain_bus_match(bus, rule) }
        DetachedThread.start { [self] in turn() }
    }

    func call(_ call: BusCall) {
        state.withLock { state in
            guard !state.isOver else { return }
            state.calls.append(call)
            unsafe entrain_bus_wake(bus)
        }
    }

    /// Sends the calls made so far, and closes the connection.
    func stop() {
        state.withLock { state in
            guard !state.isOver else { return }
            state.isStopping = true
            unsafe entrain_bus_wake(bus)
        }
    }

    private func turn() {
        var error: Int32 = 0
        while error >= 0 {
            let (calls, isStopping) = state.withLock { state in
                defer { state.calls = [] }
                return (state.calls, state.isStopping)
            }
            for call in calls { send(call) }
            if isStopping { break }
            error = unsafe entrain_bus_turn(bus)
        }
        state.withLock { state in
            state.isOver = true
            unsafe entrain_bus_free(bus)
        }
        if error < 0 {
            listener.tell(.closed("the connection to the system's bus broke: \(systemMessage(-error))"))
        }
    }

    private func send(_ call: BusCall) {
        let (argument, text) =
            switch call.argument {
            case .none: (entrain_argument_none, "")
            case .noOptions: (entrain_argument_no_options, "")
            case .discovery(let service): (entrain_argument_discovery, service)
            case .text(let text): (entrain_argument_text, text)
            case .bytes(let bytes):
                (entrain_argument_bytes, bytes.map { hexadecimal($0) }.joined())
            }
        let error = unsafe entrain_bus_call(
            bus, call.number, destination, call.path, call.interface, call.member, argument, text,
            UInt64(max(call.limit / .microseconds(1), 1)))
        guard error < 0 else { return }
        listener.tell(.failure(call.number, BusFailure(name: "", words: systemMessage(-error))))
    }
}

/// Two digits.
private func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return digits.count == 1 ? "0" + digits : digits
}
