package import Hummingbird
import NIOCore

/// The connection that a request came from.
package struct Caller: RequestContext {
    package var coreContext: CoreRequestContextStorage
    let channel: any Channel

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// The address at the other end.
    var peer: String? { channel.remoteAddress?.ipAddress }
}
