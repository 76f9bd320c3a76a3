extension LedgerContents {
    /// Goes through all slots, and through the corrections and endings between them.
    ///
    /// - Parameter each: looks at the course before a slot is recorded in it.
    func follow(_ course: inout AllocationCourse, _ each: (Slot, inout AllocationCourse) -> Void) {
        var (corrections, endings) = (self.corrections[...], self.endings[...])
        var known: [String: Slot] = [:]
        var incomplete: Set<String> = []
        func catchUp(before place: Int) {
            while let correction = corrections.first, correction.place < place {
                corrections = corrections.dropFirst()
                guard let levels = correction.levels, var slot = known[correction.participant] else {
                    continue
                }
                course.correct(from: slot.levels, to: levels, in: slot.arm)
                slot.levels = levels
                known[correction.participant] = slot
            }
            while let ending = endings.first, ending.place < place {
                endings = endings.dropFirst()
                guard let slot = known[ending.participant],
                    ending.isComplete == incomplete.contains(ending.participant)
                else { continue }
                course.hold(ending.isComplete, in: slot.arm)
                if ending.isComplete {
                    incomplete.remove(ending.participant)
                } else {
                    incomplete.insert(ending.participant)
                }
            }
        }
        for slot in slots {
            catchUp(before: slot.number)
            each(slot, &course)
            course.record(slot.levels, in: slot.arm)
            known[slot.participant] = slot
        }
        catchUp(before: .max)
    }
}
