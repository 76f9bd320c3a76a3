import Testing
import TextFormat

@Suite struct UUIDTextTests {
    /// Source: RFC 9562, the example of version 8 in appendix B.2.
    @Test func `sets version and variant`() {
        let bytes: [UInt8] = [
            0x5C, 0x14, 0x6B, 0x14, 0x3C, 0x52, 0xFA, 0xFD, 0xD8, 0xFC, 0x9A, 0x7D, 0xAE, 0xBD, 0x2B, 0xEA, 1,
        ]
        #expect(UUIDText.text(of: bytes, version: 8) == "5C146B14-3C52-8AFD-98FC-9A7DAEBD2BEA")
        #expect(
            UUIDText.text(of: bytes, version: 8, separator: "_") == "5C146B14_3C52_8AFD_98FC_9A7DAEBD2BEA")
        #expect(UUIDText.isUUID(UUIDText.text(of: bytes, version: 4)))
    }

    @Test(arguments: [
        "", "5c146b14-3c52-8afd-938a-375d0df1fbf6", "5C146B14-3C52-8AFD-938A-375D0DF1FBF",
        "../../../etc/passwd",
        "5C146B143C528AFD938A375D0DF1FBF6", "5C146B14-3C52-8AFD-938A-375D0DF1FBF６",
        "-5C146B1-3C52-8AFD-938A-375D0DF1FBF6",
    ])
    func `knows what is no UUID of a folder`(text: String) { #expect(!UUIDText.isUUID(text)) }

    @Test func `knows a UUID in lower case where that is wanted`() {
        let text = "5c146b14-3C52-8afd-938A-375d0df1fbf6"
        #expect(UUIDText.isUUID(text, ignoringCase: true) && !UUIDText.isUUID(text))
        #expect(!UUIDText.isUUID(text.replacing("5", with: "g"), ignoringCase: true))
    }

    @Test func `encodes a part of an address`() {
        #expect("a/b ä~".percentEncoded() == "a%2Fb%20%C3%A4~")
        #expect("a/b ä~".percentEncoded(keeping: "/") == "a/b%20%C3%A4~")
    }
}
