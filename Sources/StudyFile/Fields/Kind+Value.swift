import TextFormat

extension Kind {
    /// The kind that, in the steps of a block, also permits `$name`: a value of the round, which is filled in before the
    /// kind is read.
    var orValue: Kind {
        Kind(
            schema: { definitions in
                let value = definitions.define("roundValue") { _ in
                    [
                        "title": "Value of the round",
                        "description":
                            "In the steps of a block: a value of its clip or condition, such as $tempo.",
                        "type": "string", "pattern": "^\\$[A-Za-z0-9._-]{1,64}$",
                    ]
                }
                return ["anyOf": [schema(definitions), value]]
            }, read: read)
    }
}
