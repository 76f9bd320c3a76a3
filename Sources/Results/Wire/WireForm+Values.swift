import StudyModel
import TextFormat

extension WireForm<Bool> {
    static let boolean = WireForm(.boolean, write: { .boolean($0) }, read: { try $0.asBoolean() })
}

extension WireForm<Int> {
    static let count = integer(BundleLimits.count)
    static let whole = integer(Int.min...Int.max)
    /// Sessions and numbers of participants count from 1.
    static let ordinal = integer(1...1_000_000_000)

    static func integer(_ range: ClosedRange<Int>) -> WireForm {
        WireForm(.integer(range), write: { .integer($0) }, read: { try $0.asInteger(in: range) })
    }
}

extension WireForm<Int64> {
    static let whole = WireForm<Int>.whole.map("a whole number", { Int64($0) }, back: { Int($0) })
}

extension WireForm<UInt64> {
    /// A seed is a text: readers of numbers would round it.
    static let seed = WireForm(.text, write: { .text(String($0)) }, read: { try $0.asSeed() })
}

extension WireForm<Double> {
    /// A number; one that JSON cannot write is a text.
    static let real = WireForm(.real, write: { .anyReal($0) }, read: { try $0.asNumber() })
    /// Seconds since the run's start, or a length of time in seconds.
    static let seconds = number(BundleLimits.seconds)
    /// The same where it cannot be before the start, or below zero.
    static let elapsed = number(BundleLimits.elapsed)
    /// A number that is not below zero.
    static let magnitude = number(0...BundleLimits.number.upperBound)

    static func number(_ range: ClosedRange<Double>) -> WireForm {
        WireForm(.number(range), write: { .real($0) }, read: { try $0.asNumber(in: range) })
    }
}

extension WireForm<String> {
    static let text = text(.text)
    static let participant = text(.participant)
    /// A machine's words, or somebody's about the run.
    static let replaced = text(.replaced)
    /// A participant's words.
    static let typed = text(.typed)
    static let run = text(.run) { try $0.asUUID() }
    static let checksum = text(.checksum) { try $0.asChecksum() }
    static let file = text(.file) { try $0.asFileName() }
    static let identifier = text(.identifier) { try $0.asIdentifier().text }

    static func text(
        _ shape: FieldShape, read: @escaping @Sendable (JSON) throws -> String = { try $0.asText() }
    ) -> WireForm {
        WireForm(shape, write: { .text($0) }, read: read)
    }
}

extension WireForm<Identifier> {
    static let identifier = WireForm(.identifier, write: { .text($0) }, read: { try $0.asIdentifier() })
}

extension WireForm<BundlePath> {
    static let path = WireForm(.file, write: { .text($0.text) }, read: { try $0.asPath() })
}

extension WireForm<Language> {
    static let language = WireForm<String>.text.map("a language", { Language($0) }, back: \.tag)
}

extension WireForm<Duration> {
    static let nanoseconds = WireForm(
        .nanoseconds, write: { .nanoseconds($0) }, read: { try $0.asDuration() })
    /// Not below zero.
    static let elapsed = WireForm(
        .elapsedNanoseconds, write: { .nanoseconds($0) }, read: { try $0.asElapsed() })
}

extension WireForm<RunInstant> {
    /// Since the run's start.
    static let nanoseconds = WireForm(
        .nanoseconds, write: { .nanoseconds($0) }, read: { try $0.asInstant() })
    /// Not before the run's start.
    static let elapsed = WireForm<Duration>.elapsed.map(
        "a moment of the run", { RunInstant(offset: $0) }, back: \.offset)
}

extension WireForm<Range<RunInstant>> {
    /// From and to.
    static let nanoseconds = WireForm(
        .tuple([.nanoseconds, .nanoseconds]),
        write: { [.nanoseconds($0.lowerBound), .nanoseconds($0.upperBound)] },
        read: { wire in
            let ends = try wire.asList { try $0.asInstant() }
            guard ends.count == 2, ends[0] <= ends[1] else { throw wire.wrong("a span of time") }
            return ends[0]..<ends[1]
        })
}

extension WireForm<Range<Double>> {
    /// From and to, seconds since the run's start.
    static let seconds = WireForm.record(
        { (from: Double, to: Double) in
            guard from <= to else { throw WireFailure("\(from) to \(to) is not a span of time") }
            return from..<to
        }, WireField("from", \.lowerBound, .seconds), WireField("to", \.upperBound, .seconds))
}

extension WireForm {
    /// A value that is always written, and may be missing in bundles of earlier programs.
    static func known<Wrapped>(_ form: WireForm<Wrapped>) -> WireForm where Value == Wrapped? {
        WireForm(form.shape, write: { $0.map(form.write) ?? .null }, read: form.read)
    }
}
