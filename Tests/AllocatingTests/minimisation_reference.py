"""A plain minimisation after Pocock and Simon (1975), with two arms of equal share, factors of the given numbers of
levels, and the range: prints the mean spread within a level at the end. Usage: P PARTICIPANTS TRIALS LEVELS…"""

import random
import sys

probability, participants, trials = float(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
factors = [int(number) for number in sys.argv[4:]]
random.seed(1)
spreads = []
for _ in range(trials):
    counts = [[[0, 0] for _ in range(levels)] for levels in factors]
    for _ in range(participants):
        own = [random.randrange(levels) for levels in factors]
        sums = []
        for arm in 0, 1:
            sums.append(0)
            for factor, level in enumerate(own):
                numbers = list(counts[factor][level])
                numbers[arm] += 1
                sums[arm] += abs(numbers[0] - numbers[1])
        if sums[0] == sums[1]:
            arm = random.randrange(2)
        else:
            best = sums.index(min(sums))
            arm = best if random.random() < probability else 1 - best
        for factor, level in enumerate(own):
            counts[factor][level][arm] += 1
    spreads += [abs(a - b) for factor in counts for a, b in factor if a + b]
print(sum(spreads) / len(spreads))
