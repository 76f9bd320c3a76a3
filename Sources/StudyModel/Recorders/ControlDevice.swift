/// A joystick, or a slider or knob that speaks MIDI, that moves the mark of a rating.
public struct ControlDevice: Hashable, Sendable {
    public var kind: Kind
    /// The device's file, such as `/dev/input/event5` or `/dev/snd/midiC1D0`.
    public var path: String
    /// What moves the mark from left to right.
    public var horizontal: Axis
    /// What moves it from bottom to top.
    public var vertical: Axis
    /// The MIDI channel, 1...16; `nil` for all of them.
    public var channel: Int?

    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// An input device of Linux with axes.
        case joystick
        /// A MIDI device whose controllers send control changes.
        case midi

        /// The largest number of an axis or controller.
        package var lastNumber: Int { self == .joystick ? 63 : 127 }

        /// The values at both ends of an axis that says nothing else.
        package var usualRange: ClosedRange<Int> { self == .joystick ? -32_768...32_767 : 0...127 }
    }

    /// An axis of a joystick, or a MIDI controller.
    public struct Axis: Hashable, Sendable {
        /// The axis by its code in Linux (`ABS_X` is 0), or the number of the controller.
        public var number: Int
        /// The values at both ends; `nil` for those that the device states.
        public var range: ClosedRange<Int>?
        /// Whether the highest value stands for the lower end of the scale.
        public var isInverted: Bool

        public init(_ number: Int, range: ClosedRange<Int>? = nil, isInverted: Bool = false) {
            (self.number, self.range, self.isInverted) = (number, range, isInverted)
        }

        /// The share, 0...1, of the way from one end to the other at which a value lies.
        ///
        /// - Parameter known: the values at the ends if the study gives none.
        package func share(of value: Int, in known: ClosedRange<Int>) -> Double {
            let range = range ?? known
            guard range.lowerBound < range.upperBound else { return 0.5 }
            let share =
                (Double(value) - Double(range.lowerBound))
                / (Double(range.upperBound) - Double(range.lowerBound))
            return min(1, max(0, isInverted ? 1 - share : share))
        }
    }

    /// A device with its first two axes: of a joystick x and y, which grows downwards; of a MIDI device the controllers
    /// 1 and 2.
    public init(_ kind: Kind, at path: String, horizontal: Axis? = nil, vertical: Axis? = nil) {
        (self.kind, self.path) = (kind, path)
        self.horizontal = horizontal ?? Axis(kind == .joystick ? 0 : 1)
        self.vertical = vertical ?? Axis(kind == .joystick ? 1 : 2, isInverted: kind == .joystick)
    }

    /// The names of a joystick's axes, in the order of their codes.
    package static let axisNames = [
        "x", "y", "z", "rx", "ry", "rz", "throttle", "rudder", "wheel", "gas", "brake",
    ]
}

/// Where a control was moved to, as shares 0...1 of its way; `nil` where it did not move.
public struct ControlPosition: Hashable, Sendable {
    public var horizontal: Double?
    public var vertical: Double?

    public init(horizontal: Double? = nil, vertical: Double? = nil) {
        (self.horizontal, self.vertical) = (horizontal, vertical)
    }
}
