import Glibc
import Testing

@testable import Platform

@Suite struct ProcessGroupTests {
    @Test func `tells how a program ended that ends by itself`() {
        #expect(unsafe ProcessGroup.run(["sh", "-c", "exit 3"], atMost: .seconds(3600)) { _ in } == .code(3))
        #expect(
            unsafe ProcessGroup.run(["sh", "-c", "kill -9 $$"], atMost: .seconds(3600)) { _ in } == .code(137)
        )
    }

    @Test func `stops a program whose time is over`() {
        #expect(unsafe ProcessGroup.run(["sleep", "100000"], atMost: .milliseconds(1)) { _ in } == .stopped)
    }

    @Test func `stops a program when this one is asked to end`() {
        var ends: [Int32] = [-1, -1]
        #expect(unsafe pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        #expect(unsafe write(ends[1], "!", 1) == 1)
        let end = unsafe ProcessGroup.run(["sleep", "100000"], atMost: .seconds(3600), until: ends[0]) { _ in
        }
        #expect(end == .interrupted)
    }

    @Test func `says why a program never began`() {
        #expect(unsafe ProcessGroup.run(["/nowhere"], atMost: .seconds(1)) { _ in } == .neverBegan(2))
    }
}
