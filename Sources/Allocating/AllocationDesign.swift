import Hashing
package import StudyModel
package import TextFormat

/// Everything but the secret that decides about arms, as in the study and in the ledger's first line.
package struct AllocationDesign: Hashable, Sendable {
    /// The study's identifier.
    package var study: Identifier
    package var arms: [Arm]
    package var allocation: Allocation
    /// The answers that each factor can have; `nil` in ledgers and runs of earlier programs.
    package var levels: [[String]]?

    /// An arm, with its share.
    package struct Arm: Hashable, Sendable {
        package var identifier: Identifier
        package var ratio: Int
        /// How many participants it can have; `nil` if as many as come.
        package var places: Int?

        package init(_ identifier: Identifier, ratio: Int = 1, places: Int? = nil) {
            (self.identifier, self.ratio, self.places) = (identifier, ratio, places)
        }
    }

    package init(study: Identifier, arms: [Arm], allocation: Allocation) {
        (self.study, self.arms, self.allocation) = (study, arms, allocation)
    }

    /// - Returns: `nil` if the study does not allocate participants.
    package init?(of study: Study) {
        guard let allocation = study.allocation else { return nil }
        self.init(
            study: study.identifier,
            arms: study.arms.map { Arm($0.identifier, ratio: $0.ratio, places: $0.places) },
            allocation: allocation)
        levels = allocation.factors.map(study.levels(of:))
    }

    /// Whether arms follow in the same way. Who does not know the levels does not compare them.
    package func isSame(as other: AllocationDesign) -> Bool {
        var (own, other) = (self, other)
        if own.levels == nil || other.levels == nil { (own.levels, other.levels) = (nil, nil) }
        return own == other
    }

    /// The commitment to a secret, and to the list or the hidden sizes of blocks if there are any: the lower-case
    /// hexadecimal SHA-256 of the secret's bytes, followed by those of the other file.
    package static func commitment(to secret: [UInt8], sealed: [UInt8] = []) -> String {
        SHA256.hexadecimal(of: secret + sealed)
    }

    /// The design with blocks of these sizes, in place of hidden ones.
    ///
    /// - Returns: `nil` if there is no size, or if a block could not give every arm its share.
    package func dealing(_ sizes: [Int]) -> AllocationDesign? {
        guard !sizes.isEmpty, sizes.allSatisfy({ $0 <= 1_000 }), Self.isShared(sizes, among: arms) else {
            return nil
        }
        var design = self
        design.allocation.method = .blocks(sizes)
        return design
    }

    /// Whether every arm has its share of blocks of these sizes.
    private static func isShared(_ sizes: [Int], among arms: [Arm]) -> Bool {
        let sum = arms.map(\.ratio).reduce(0, +)
        return sizes.allSatisfy { $0 >= sum && $0.isMultiple(of: sum) }
    }
}

extension AllocationDesign {
    /// The design in the form of the ledger.
    package var json: JSON {
        var object = JSON.Object([
            "arms": .list(
                arms.map { arm in
                    var members: [String: JSON] = [
                        "identifier": .text(arm.identifier.text), "ratio": .integer(arm.ratio),
                    ]
                    members["places"] = arm.places.map { .integer($0) }
                    return .members(members)
                }),
            "factors": .list(allocation.factors.map { .text($0.text) }), "study": .text(study.text),
        ])
        object["commitment"] = allocation.commitment.map { .text($0) }
        object["levels"] = levels.map { .list($0.map(JSON.texts)) }
        object["publicChance"] = allocation.publicChance.map { .text($0) }
        if allocation.refills { object["refill"] = true }
        switch allocation.method {
        case .simple: object["method"] = "simple"
        case .blocks(let sizes):
            object["method"] = "blocks"
            object["blocks"] = .list(sizes.map { .integer($0) })
        case .minimisation(let minimisation):
            object["method"] = "minimisation"
            object["weights"] = .list(minimisation.weights.map { .integer($0) })
            object["imbalance"] = minimisation.usesVariance ? "variance" : "range"
            object["probability"] = .real(minimisation.probability)
            object["burnIn"] = .integer(minimisation.burnIn)
        case .list: object["method"] = "list"
        }
        return .object(object)
    }

    /// - Returns: `nil` unless it is a design in the form that `json` writes.
    package init?(json: JSON) {
        let object = json.object
        let names = { (key: String) in object?[key]?.list?.compactMap { $0.text.flatMap(Identifier.init) } }
        let numbers = { (key: String) in object?[key]?.list?.compactMap(\.integer) }
        let arms = object?["arms"]?.list?.compactMap { arm -> Arm? in
            guard let name = arm.object?["identifier"]?.text.flatMap(Identifier.init),
                let ratio = arm.object?["ratio"]?.integer, (1...100).contains(ratio)
            else { return nil }
            return Arm(name, ratio: ratio, places: arm.object?["places"]?.integer)
        }
        guard let study = object?["study"]?.text.flatMap(Identifier.init), let arms, arms.count > 1,
            let factors = names("factors")
        else { return nil }
        let method: Allocation.Method
        switch object?["method"]?.text {
        case "simple": method = .simple
        case "blocks":
            guard let sizes = numbers("blocks"), Self.isShared(sizes, among: arms) else { return nil }
            method = .blocks(sizes)
        case "minimisation":
            guard let weights = numbers("weights"), weights.count == factors.count,
                let probability = object?["probability"]?.number, let burnIn = object?["burnIn"]?.integer
            else { return nil }
            method = .minimisation(
                .init(
                    weights: weights, usesVariance: object?["imbalance"]?.text == "variance",
                    probability: probability, burnIn: burnIn))
        case "list": method = .list
        case .some, nil: return nil
        }
        self.init(
            study: study, arms: arms,
            allocation: Allocation(method, by: factors, commitment: object?["commitment"]?.text))
        allocation.refills = object?["refill"] == true
        allocation.publicChance = object?["publicChance"]?.text
        levels = object?["levels"]?.list?.map { $0.list?.compactMap(\.text) ?? [] }
        guard levels?.count ?? factors.count == factors.count, arms.allSatisfy({ $0.places ?? 1 > 0 }),
            self.json == json
        else { return nil }
    }
}

extension Study {
    /// The answers that a factor of an allocation can have.
    package func levels(of factor: Identifier) -> [String] {
        for task in tasks {
            if let score = task.scores.first(where: { $0.levelIdentifier == factor }) {
                return score.levels.map(\.name)
            }
            if let levels = task.format(of: factor)?.levels { return levels }
        }
        return [""]
    }
}
