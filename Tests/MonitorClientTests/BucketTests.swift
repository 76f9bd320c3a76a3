import Platform
import Testing

@testable import MonitorClient

@Suite struct BucketTests {
    private static let keys = [
        "AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE",
        "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "AWS_REGION": "us-east-1",
    ]

    /// The example of AWS, "Authenticating Requests: Using Query Parameters", but for what is fixed here: 900 s
    /// instead of a day, and the host. The signature is botocore's for the same request.
    @Test func `signs as botocore does`() throws {
        let bucket = try Bucket("s3://examplebucket/a", variable: { Self.keys[$0] })
        let request = bucket.request("GET", "test file+.txt", now: 1_369_353_600)
        #expect(
            request.url == """
                https://examplebucket.s3.us-east-1.amazonaws.com/a/test%20file%2B.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256\
                &X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request\
                &X-Amz-Date=20130524T000000Z&X-Amz-Expires=900&X-Amz-SignedHeaders=host\
                &X-Amz-Signature=5d46e408d8d760312754d0e69f896881f416a20ec90b3dc34d7fbcebf74c80cc
                """)
        var variables = Self.keys
        variables["AWS_ENDPOINT_URL"] = "http://localhost:9000/"
        variables["AWS_SESSION_TOKEN"] = "FwoG/ZXIvYXdzE=="
        let other = try Bucket("s3://examplebucket", variable: { variables[$0] })
        let put = other.request(
            "PUT", "b/c.json", headers: [HTTPHeader("x-amz-meta-sha256", "00ff")], now: 1_764_066_123)
        #expect(
            put.url == """
                http://localhost:9000/examplebucket/b/c.json?X-Amz-Algorithm=AWS4-HMAC-SHA256\
                &X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20251125%2Fus-east-1%2Fs3%2Faws4_request\
                &X-Amz-Date=20251125T102203Z&X-Amz-Expires=900&X-Amz-Security-Token=FwoG%2FZXIvYXdzE%3D%3D\
                &X-Amz-SignedHeaders=host%3Bx-amz-meta-sha256&X-Amz-Signature=8f57263033a287b029cf70d57708e1afe27ddeabfb905c8a33d7d48fde6f8389
                """)
        #expect(put.headers == [HTTPHeader("x-amz-meta-sha256", "00ff")])
    }

    @Test(arguments: [
        "s3://", "s3:///x", "s3://B/x", "s3://ab", "s3://bucket/../x", "s3://bucket/a b", "s3://bucket/x?y",
        "s3://buck et",
    ])
    func `takes no address that is none`(address: String) {
        #expect(throws: Bucket.Problem.address) { try Bucket(address, variable: { Self.keys[$0] }) }
    }

    @Test func `says which variable is missing or wrong`() {
        for name in ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"] {
            #expect(throws: Bucket.Problem.missing(name)) {
                try Bucket("s3://bucket", variable: { $0 == name ? nil : Self.keys[$0] })
            }
        }
        #expect(throws: Bucket.Problem.missing("AWS_DEFAULT_REGION")) {
            try Bucket("s3://bucket", variable: { $0 == "AWS_REGION" ? nil : Self.keys[$0] })
        }
        #expect(throws: Bucket.Problem.endpoint("AWS_ENDPOINT_URL")) {
            try Bucket("s3://bucket", variable: { $0 == "AWS_ENDPOINT_URL" ? "storage" : Self.keys[$0] })
        }
    }
}
