import Hashing
import StudyModel
import TextFormat

extension Allocation {
    /// How participants are allocated to arms. The sizes of blocks are left out, because the people who enrol
    /// participants may read this.
    var sentences: [String] {
        var said = [
            "The program allocates each participant to an arm at the step 'allocation', and not before."
        ]
        switch method {
        case .simple: said.append("Each arm is drawn by itself (simple randomisation).")
        case .blocks(let sizes):
            said.append(
                "The arms are drawn in permuted blocks"
                    + (factors.isEmpty
                        ? "." : ", separately for each answer to \(listed(factors.map(\.text)))."))
            said.append(
                sizes.count != 1
                    ? "The size of each block is drawn, and is not told to those who enrol participants."
                    : "The size of the blocks is not told to those who enrol participants.")
        case .minimisation(let minimisation): said += sentences(of: minimisation)
        case .list:
            said.append(
                "The arms stand in a list that was made outside of the program before the first participant"
                    + (factors.isEmpty
                        ? "." : ", with slots for each answer to \(listed(factors.map(\.text))) by itself."))
        }
        if refills {
            said.append(
                "Arms have limited places, which are given again if their participants do not complete; all who were allocated are analysed."
            )
        }
        said.append(secretSentence)
        if let publicChance {
            said.append("Public chance is mixed with it before the first participant: \(publicChance).")
        }
        said.append("Each allocation is written to a ledger before the participant goes on.")
        return said
    }

    /// Where the arms come from, and how it can be proved later.
    private var secretSentence: String {
        if method == .list {
            return "The list is sealed: it is not in the study. "
                + (commitment.map { "The SHA-256 of a secret and the list is \($0)." }
                    ?? "The study does not name the SHA-256 of a secret and the list yet.")
        }
        let what = isSealed ? "the secret and the sizes of blocks" : "the secret"
        return "The draws come from a secret that is not in the study, by HMAC-SHA-256. "
            + (commitment.map { "The SHA-256 of \(what) is \($0)." }
                ?? "The study does not name the SHA-256 of \(what) yet.")
    }

    private func sentences(of minimisation: Minimisation) -> [String] {
        let weighted = zip(factors, minimisation.weights).map { factor, weight in
            weight == 1 ? factor.text : "\(factor) (weight \(weight))"
        }
        return [
            factors.isEmpty
                ? "The arm with the fewest participants is preferred (biased coin, Efron 1971)."
                : "The arms are balanced by minimisation (Pocock and Simon 1975) over \(listed(weighted)), by the "
                    + "\(minimisation.usesVariance ? "variance" : "range") of the numbers of participants.",
            "The arm that leaves the least imbalance is taken with a probability of \(plainNumber(minimisation.probability)).",
            minimisation.burnIn > 0
                ? "The first \(counted(minimisation.burnIn, "participant")) are allocated by simple randomisation."
                : nil,
        ].compactMap(\.self)
    }
}

extension Study.Arm {
    /// Its identifier, with its title if it has one.
    var named: String { title.map { "\(identifier) (\($0.text(in: nil)))" } ?? identifier.text }
}
