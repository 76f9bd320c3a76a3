import Glibc

/// Standard input as a sign of life: when the program that started this one is gone, for whatever reason, this
/// program ends properly.
enum Lifeline {
    static func watch() throws(Failure) {
        var thread = pthread_t()
        let failure = unsafe pthread_create(
            &thread, nil,
            { _ in
                var byte: UInt8 = 0
                while true {
                    let count = unsafe read(STDIN_FILENO, &byte, 1)
                    if count == 0 || count < 0 && errno != EINTR { break }
                }
                kill(getpid(), SIGTERM)
                return nil
            }, nil)
        guard failure == 0 else {
            throw Failure("cannot watch the standard input: error \(failure)", code: 69)
        }
        pthread_detach(thread)
    }
}
