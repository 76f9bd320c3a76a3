import Testing

@testable import Physiology

@Suite struct MedianTests {
    @Test(
        arguments: [
            ([], nil), ([3], 3), ([9, 1, 4], 4), ([4, 1], 2.5), ([1, 2, 4, 100], 3), ([-1, -3], -2),
        ] as [([Double], Double?)])
    func `is the middle, and the mean of both middles where the count is even`(
        values: [Double], middle: Double?
    ) {
        #expect(median(values) == middle)
    }
}
