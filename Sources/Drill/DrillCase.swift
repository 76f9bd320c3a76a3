import Glibc

/// One thing that is done to a run, with a name that repeats it: `kill/137`, `cut/any/85/3`.
package struct DrillCase: Hashable, Sendable, CustomStringConvertible {
    /// What is done to a run.
    package enum Fault: Hashable, Sendable {
        /// Nothing is done to it.
        case unbroken
        /// Killed before a call.
        case kill(call: Int)
        /// Killed before a call, and then its recovery is killed too.
        case killRecovery(call: Int, recoveryCall: Int)
        /// Killed this many milliseconds after its start, while its clock goes faster.
        case killAt(milliseconds: Int)
        /// The power fails after a call; the variant says what is left.
        case cut(PowerCut, record: Int, variant: Int)
        /// One call fails, or all calls from it on.
        case fail(error: FaultError, call: Int, isLasting: Bool)
        /// A sync fails, and later the power does; the variant says when, and what is left.
        case failCut(sync: Int, variant: Int)
        /// A write takes at most this many bytes.
        case short(bytes: Int)
        /// A sync takes this much longer.
        case slow(milliseconds: Int)
        /// The wall clock is changed at a call.
        case clock(seconds: Int, call: Int)
        /// The source misbehaves.
        case source(SourceFault)
        /// The monitor does not answer.
        case monitor(MonitorFault)
        /// The sound card misbehaves.
        case sound(SoundFault)
        /// A person who is allocated to an arm answers; the run is broken at a call, and the person goes on.
        case ledger(Drill.LedgerFault, call: Int)
        /// A person at a terminal answers, and the line hangs up after this many milliseconds; never if it is 0.
        case terminal(milliseconds: Int)
    }

    package var fault: Fault

    package init(_ fault: Fault) { self.fault = fault }

    /// The part of the drill that it belongs to.
    package var campaign: String { String(description.prefix { $0 != "/" }) }

    /// Whether the power of a run in real time fails.
    package var cutsPower: Bool {
        if case .cut = fault { true } else { false }
    }

    package var description: String {
        switch fault {
        case .unbroken: "unbroken"
        case .kill(let call): "kill/\(call)"
        case .killRecovery(let call, let recoveryCall): "kill-recovery/\(call)/\(recoveryCall)"
        case .killAt(let milliseconds): "kill-at/\(milliseconds)"
        case .cut(let mode, let record, let variant): "cut-\(mode.rawValue)/\(record)/\(variant)"
        case .fail(let error, let call, let isLasting):
            "fail-\(error.rawValue)/\(call)" + (isLasting ? "+" : "")
        case .failCut(let sync, let variant): "fail-cut/\(sync)/\(variant)"
        case .short(let bytes): "short/\(bytes)"
        case .slow(let milliseconds): "slow/\(milliseconds)"
        case .clock(let seconds, let call): "clock/\(seconds)/\(call)"
        case .source(let kind): "source/\(kind.rawValue)"
        case .monitor(let kind): "monitor/\(kind.rawValue)"
        case .sound(let kind): "sound/\(kind.rawValue)"
        case .ledger(let kind, let call): "ledger-\(kind.rawValue)/\(call)"
        case .terminal(let milliseconds): "terminal/\(milliseconds)"
        }
    }

    /// - Parameter name: as `description` gives it.
    package init?(named name: String) {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let numbers = parts.dropFirst().compactMap { Int($0) }
        let isWhole = numbers.count == parts.count - 1
        switch (parts.first, numbers.count) {
        case ("unbroken", 0) where isWhole: fault = .unbroken
        case ("fail-cut", 2) where isWhole: fault = .failCut(sync: numbers[0], variant: numbers[1])
        case ("kill", 1) where isWhole: fault = .kill(call: numbers[0])
        case ("kill-recovery", 2) where isWhole:
            fault = .killRecovery(call: numbers[0], recoveryCall: numbers[1])
        case ("kill-at", 1) where isWhole: fault = .killAt(milliseconds: numbers[0])
        case ("terminal", 1) where isWhole: fault = .terminal(milliseconds: numbers[0])
        case ("short", 1) where isWhole: fault = .short(bytes: numbers[0])
        case ("slow", 1) where isWhole: fault = .slow(milliseconds: numbers[0])
        case ("clock", 2) where isWhole: fault = .clock(seconds: numbers[0], call: numbers[1])
        case (let first?, _):
            guard let fault = Self.named(first, parts.dropFirst().map(\.self), numbers) else { return nil }
            self.fault = fault
        case (nil, _): return nil
        }
    }

    private static func named(_ first: String, _ rest: [String], _ numbers: [Int]) -> Fault? {
        let halves = first.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        let (kind, detail) = (halves[0], halves.count == 2 ? String(halves[1]) : "")
        if kind == "cut", let mode = PowerCut(rawValue: detail), numbers.count == 2, rest.count == 2 {
            return .cut(mode, record: numbers[0], variant: numbers[1])
        }
        if kind == "fail", let error = FaultError(rawValue: detail), rest.count == 1 {
            let isLasting = rest[0].hasSuffix("+")
            guard let call = Int(isLasting ? String(rest[0].dropLast()) : rest[0]) else { return nil }
            return .fail(error: error, call: call, isLasting: isLasting)
        }
        if kind == "ledger", let fault = Drill.LedgerFault(rawValue: detail), numbers.count == 1,
            rest.count == 1
        {
            return .ledger(fault, call: numbers[0])
        }
        if kind == "source", rest.count == 1, let source = SourceFault(rawValue: rest[0]) {
            return .source(source)
        }
        if kind == "monitor", rest.count == 1, let monitor = MonitorFault(rawValue: rest[0]) {
            return .monitor(monitor)
        }
        if kind == "sound", rest.count == 1, let sound = SoundFault(rawValue: rest[0]) {
            return .sound(sound)
        }
        return nil
    }
}

/// An error with which the system refuses a call.
package enum FaultError: String, CaseIterable, Hashable, Sendable {
    case full = "ENOSPC"
    case quota = "EDQUOT"
    case broken = "EIO"
    case readOnly = "EROFS"
    case tooManyFiles = "EMFILE"

    var code: Int32 {
        switch self {
        case .full: ENOSPC
        case .quota: EDQUOT
        case .broken: EIO
        case .readOnly: EROFS
        case .tooManyFiles: EMFILE
        }
    }

    /// The calls that can fail in this way in practice.
    var calls: [FaultRecord.Kind] {
        switch self {
        case .full, .quota: [.create, .write, .makeFolder, .rename, .sync, .syncAll]
        case .broken: [.create, .open, .write, .sync, .syncAll, .rename, .remove, .makeFolder, .truncate]
        case .readOnly: [.create, .write, .rename, .remove, .makeFolder, .truncate]
        case .tooManyFiles: [.create, .open]
        }
    }
}

/// What is wrong with a source of heart rates that writes lines.
package enum SourceFault: String, CaseIterable, Hashable, Sendable {
    case silent
    case flood
    case garbage
    case doubled
    case lying
    case ends

    /// A shell script that writes such lines.
    var script: String {
        switch self {
        case .silent: "sleep 8"
        case .flood: "yes 70"
        case .garbage: "head -c 3000000 /dev/urandom; yes '{\"bpm\": [[[[' | head -n 10000"
        case .doubled: "for i in 1 2 3 4 5 6 7; do echo 70; echo 70; sleep 1; done"
        case .lying:
            "for i in 1 2 3 4 5 6 7; do echo '{\"t\": 4102444800, \"bpm\": 70}'; echo '{\"t\": 1, \"bpm\": 7e308}'; sleep 1; done"
        case .ends: "echo 70; sleep 1; echo 71"
        }
    }
}

/// What is wrong with a monitor.
package enum MonitorFault: String, CaseIterable, Hashable, Sendable {
    /// Nothing listens at its address.
    case absent
    /// It accepts connections and sends nothing.
    case silent
}

/// What is wrong with a sound card.
package enum SoundFault: String, CaseIterable, Hashable, Sendable {
    /// It works, and plays to the end.
    case steady
    /// It is pulled out while a clip plays.
    case unplugged
}
