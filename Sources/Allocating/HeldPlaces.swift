/// How many places of each arm are held, and which arms have places left.
struct HeldPlaces: Sendable {
    private let limits: [Int?]
    private var held: [Int]

    init(of arms: [AllocationDesign.Arm]) {
        (limits, held) = (arms.map(\.places), arms.map { _ in 0 })
    }

    func isOpen(_ arm: Int) -> Bool { limits[arm].map { held[arm] < $0 } ?? true }

    /// The arms, by their places in the design, that have places left.
    var open: [Int] { limits.indices.filter(isOpen) }

    mutating func take(_ arm: Int) { held[arm] += 1 }

    mutating func giveBack(_ arm: Int) { held[arm] -= 1 }
}
