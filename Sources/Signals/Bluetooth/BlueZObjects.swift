import Recordings
import StudyModel
import TextFormat

/// The objects that BlueZ knows: adapters, devices and their services.
struct BlueZObjects: Hashable, Sendable {
    /// BlueZ's names for its interfaces.
    enum Name {
        static let program = "org.bluez"
        static let objects = "org.freedesktop.DBus.ObjectManager"
        static let properties = "org.freedesktop.DBus.Properties"
        static let adapter = "org.bluez.Adapter1"
        static let device = "org.bluez.Device1"
        static let battery = "org.bluez.Battery1"
        static let characteristic = "org.bluez.GattCharacteristic1"
    }

    /// The Bluetooth numbers of services and characteristics.
    enum Identity {
        static let heartRateService = full("180d")
        static let heartRateMeasurement = full("2a37")
        static let bodySensorLocation = full("2a38")
        static let batteryLevel = full("2a19")
        static let manufacturer = full("2a29")
        static let model = full("2a24")
        static let firmware = full("2a26")

        private static func full(_ short: String) -> String { "0000\(short)-0000-1000-8000-00805f9b34fb" }
    }

    /// A radio of this machine.
    struct Adapter: Hashable, Sendable {
        var path: String
        var isPowered: Bool
    }

    /// A device that BlueZ knows, within reach or not.
    struct Device: Hashable, Sendable {
        var path: String
        var address: String
        /// Its own name, or else its address.
        var name: String
        /// Signal strength, dBm; `nil` while nothing is received from it, or while it is connected.
        var signal: Int?
        var isConnected: Bool
        /// Whether its services are known.
        var isResolved: Bool
        var isStrap: Bool
        /// Charge, percent, if BlueZ itself reads it.
        var battery: Int?

        var isInReach: Bool { isConnected || signal != nil }
    }

    private typealias Properties = [String: BusValue]
    private var objects: [String: [String: Properties]] = [:]

    init() {}

    /// - Parameter managed: the answer to `GetManagedObjects`.
    init(managed: [BusValue]) {
        for (path, interfaces) in managed.first?.map ?? [:] {
            objects[path] = interfaces.map?.compactMapValues(\.map)
        }
    }

    /// Takes a signal. Signals about other things change nothing.
    mutating func take(path: String, interface: String, member: String, _ values: [BusValue]) {
        switch (interface, member) {
        case (Name.objects, "InterfacesAdded"):
            guard values.count == 2, let added = values[0].text, let interfaces = values[1].map else {
                return
            }
            for (name, properties) in interfaces { objects[added, default: [:]][name] = properties.map }
        case (Name.objects, "InterfacesRemoved"):
            guard values.count == 2, let removed = values[0].text else { return }
            for name in (values[1].list ?? []).compactMap(\.text) { objects[removed]?[name] = nil }
            if objects[removed]?.isEmpty == true { objects[removed] = nil }
        case (Name.properties, "PropertiesChanged"):
            guard values.count >= 2, let changed = values[0].text, let properties = values[1].map else {
                return
            }
            objects[path, default: [:]][changed, default: [:]].merge(properties) { $1 }
            for name in values.dropFirst(2).first?.list?.compactMap(\.text) ?? [] {
                objects[path]?[changed]?[name] = nil
            }
        default: return
        }
    }

    var isEmpty: Bool { objects.isEmpty }

    /// Whether a characteristic sends its value whenever it changes.
    func isNotifying(_ characteristic: String) -> Bool {
        objects[characteristic]?[Name.characteristic]?["Notifying"]?.boolean == true
    }

    /// Whether a characteristic can send its value whenever it changes.
    func canNotify(_ characteristic: String) -> Bool {
        let flags = objects[characteristic]?[Name.characteristic]?["Flags"]?.list ?? []
        return flags.contains(.text("notify"))
    }

    var adapters: [Adapter] {
        with(Name.adapter).map { path, properties in
            Adapter(path: path, isPowered: properties["Powered"]?.boolean == true)
        }
    }

    var devices: [Device] { with(Name.device).map(device) }

    func device(at path: String) -> Device? {
        objects[path]?[Name.device].map { device(path, $0) }
    }

    /// The path of a device's characteristic; `nil` if the device does not have it.
    func characteristic(_ identity: String, of device: String) -> String? {
        with(Name.characteristic).first { path, properties in
            path.hasPrefix(device + "/") && properties["UUID"]?.text?.lowercased() == identity
        }?.path
    }

    private func device(_ path: String, _ properties: Properties) -> Device {
        let address = properties["Address"]?.text ?? String(path.suffix(17)).replacing("_", with: ":")
        let services = properties["UUIDs"]?.list?.compactMap { $0.text?.lowercased() } ?? []
        return Device(
            path: path, address: address,
            name: properties["Name"]?.text ?? properties["Alias"]?.text ?? address,
            signal: properties["RSSI"]?.integer, isConnected: properties["Connected"]?.boolean == true,
            isResolved: properties["ServicesResolved"]?.boolean == true,
            isStrap: services.contains(Identity.heartRateService),
            battery: objects[path]?[Name.battery]?["Percentage"]?.integer)
    }

    /// All objects of a kind, in the order of their paths.
    private func with(_ interface: String) -> [(path: String, properties: Properties)] {
        objects.compactMap { path, interfaces in interfaces[interface].map { (path, $0) } }
            .sorted { $0.path < $1.path }
    }
}

extension BluetoothStrap {
    func matches(_ device: BlueZObjects.Device) -> Bool {
        switch self {
        case .only: device.isStrap
        case .named(let name): device.name.lowercased().hasPrefix(name.lowercased())
        case .at(let address): device.address.lowercased() == address.lowercased()
        }
    }

    /// The strap in words that follow "looking for".
    var words: String {
        switch self {
        case .only: "a heart-rate strap: put it on, and moisten its electrodes"
        case .named(let name): "the strap \(quoted(name))"
        case .at(let address): "the strap \(quoted(address))"
        }
    }
}
