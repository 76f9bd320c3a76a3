import TextFormat

extension ResultBundle.Step {
    init(wire: JSON) throws {
        let results = try wire.field("results").asList { $0 }
        identifier = try wire.field("identifier").asText()
        startDate = try wire.field("startDate").asText()
        endDate = try wire.field("endDate").asText()
        answers = results.filter { $0["_class"]?.text != "ORKFileResult" }
        files = try results.filter { $0["_class"]?.text == "ORKFileResult" }
            .map(ResultBundle.File.init(wire:))
        userInfo = try wire.field("userInfo")
    }
}

extension ResultBundle.File {
    init(wire: JSON) throws {
        identifier = try wire.field("identifier").asText()
        name = try wire.field("fileName").asText()
        startDate = try wire.field("startDate").asText()
        endDate = try wire.field("endDate").asText()
        userInfo = try wire.field("userInfo")
    }
}

extension ResultBundle.HeartRate {
    init(wire: JSON) throws {
        let metadata = try wire.field("metadata")
        runOffset = try metadata.field("runOffset").asNumber()
        arrivalOffset = try metadata.field("arrivalOffset").asNumber()
        timestampSince1970 = try wire.field("timestampSince1970").asNumber()
        value = try wire.field("value").asNumber()
        rrIntervals = try metadata.field("rrIntervals").asList { try $0.asNumber() }
        sensorContact = try metadata.optional("sensorContact") { try $0.asBoolean() }
        quality = try metadata.optional("quality") { try $0.asNumber() }
        source = try wire.field("source").asText()
    }
}
