import Testing
import TransparencyLog

@Suite struct LogKeyTests {
    /// From the tests of Go's package `golang.org/x/mod/sumdb/note`.
    private static let verifier = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
    private static let secret =
        "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
    private static let text =
        "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
    private static let note =
        text + """

            — PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=

            """

    @Test func `signs and verifies as Go's notes do`() throws {
        let key = try #require(LogKey(secretText: Self.secret))
        #expect(key.verifierText == Self.verifier)
        #expect(key.secretText == Self.secret)
        #expect(key.note(Self.text) == Self.note)
        let verifier = try #require(LogKey(verifierText: Self.verifier))
        #expect(verifier.text(of: Self.note) == Self.text)
        #expect(verifier.note(Self.text) == nil && verifier.secretText == nil)
    }

    @Test(arguments: [
        ("If you think", "If we think"), ("x08go", "x08gp"), ("— PeterNeumann", "— Peter"),
        ("ZJkuBS", "ZJkuBT"), ("\n\n", "\n"), ("BwJnAM=\n", "BwJnAM="),
    ])
    func `refuses a note that was changed`(old: String, new: String) throws {
        let verifier = try #require(LogKey(verifierText: Self.verifier))
        #expect(verifier.text(of: Self.note.replacing(old, with: new)) == nil)
    }

    @Test(arguments: [
        "", "PeterNeumann", "PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "PeterNeumann+c74f20a3+Ahpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW", "a+b+c",
    ])
    func `refuses what is no key`(text: String) {
        #expect(LogKey(verifierText: text) == nil)
        #expect(LogKey(secretText: "PRIVATE+KEY+" + text) == nil)
    }
}
