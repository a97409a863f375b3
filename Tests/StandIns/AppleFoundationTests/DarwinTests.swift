import AppleFoundation
import TestSupport

@Suite struct DarwinTests {
  /// Calls `body` with the address of a Unix socket as handlers fill it in, that is, without the family.
  private func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  /// The numbers of sys/errno.h of Darwin.
  @Test(
    arguments: [
      (EPERM, 1), (ERANGE, 34), (EAGAIN, 35), (EDEADLK, 11), (EMSGSIZE, 40), (ENOTSUP, 45), (ENETDOWN, 50),
      (ECONNABORTED, 53), (ECONNRESET, 54), (ENOTCONN, 57), (ETIMEDOUT, 60), (ECONNREFUSED, 61), (ELOOP, 62),
      (ENAMETOOLONG, 63), (EHOSTUNREACH, 65), (ENOTEMPTY, 66), (ENOSYS, 78), (ECANCELED, 89), (EPROTO, 100),
    ] as [(Int32, Int32)])
  func errorsHaveDarwinsNumbers(code: Int32, number: Int32) { #expect(DarwinErrno.number(code) == number) }

  @Test func errorsHaveDarwinsTexts() {
    #expect(DarwinErrno.text(ENOTCONN) == "Socket is not connected")
    #expect(DarwinErrno.text(ECONNREFUSED) == "Connection refused")
  }

  @Test func connectsToAnAddressWithoutAFamily() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/socket"
    let listener = Darwin.socket(AF_UNIX, SOCK_STREAM, 0)
    let client = Darwin.socket(AF_UNIX, SOCK_STREAM, 0)
    defer { for socket in [listener, client] { Darwin.close(socket) } }
    #expect(unsafe withAddress(path) { unsafe Darwin.bind(listener, $0, $1) } == 0)
    #expect(Darwin.listen(listener, 1) == 0)
    #expect(unsafe withAddress(path) { unsafe Darwin.connect(client, $0, $1) } == 0)
    let accepted = unsafe Darwin.accept(listener, nil, nil)
    defer { Darwin.close(accepted) }
    #expect(unsafe Darwin.send(client, [7 as UInt8], 1, 0) == 1)
    var byte: UInt8 = 0
    #expect(unsafe Darwin.recv(accepted, &byte, 1, 0) == 1)
    #expect(byte == 7)
  }

  @Test(arguments: [(AF_INET, 16), (AF_INET6, 28), (AF_UNIX, 110)] as [(Int32, UInt8)])
  func anAddressHasTheLengthOfItsFamily(family: Int32, length: UInt8) {
    var address = sockaddr()
    address.sa_family = sa_family_t(family)
    address.sa_len = 0
    #expect(address.sa_len == length)
    let lengths = [sockaddr_in().sin_len, sockaddr_in6().sin6_len, sockaddr_un().sun_len]
    #expect(lengths.contains(length))
  }

  @Test func locksAFile() throws {
    let folder = try TemporaryFolder()
    let file = unsafe Darwin.open(folder.path + "/lock", O_CREAT | O_RDWR, S_IRUSR | S_IWUSR)
    defer { Darwin.close(file) }
    #expect(Darwin.lockf(file, F_LOCK, 0) == 0)
    #expect(unsafe Darwin.open(folder.path + "/none", O_RDONLY) == -1)
  }

  @Test func refusesAPathThatIsTooLongOnADevice() {
    let socket = Darwin.socket(AF_UNIX, SOCK_STREAM, 0)
    defer { Darwin.close(socket) }
    let path = "/" + String(repeating: "x", count: 103)
    #expect(unsafe withAddress(path) { unsafe Darwin.connect(socket, $0, $1) } == -1)
    #expect(errno == ENAMETOOLONG)
  }

  @Test func passesOnWhatAnAutoreleasePoolReturnsAndThrows() {
    struct Failure: Error {}
    #expect(autoreleasepool { 5 } == 5)
    #expect(throws: Failure.self) { try autoreleasepool { throw Failure() } }
  }

  @Test(arguments: [(4, "abc"), (3, "ab"), (1, "")]) func copiesWhatFitsOfAText(size: Int, text: String) {
    var bytes = [CChar](repeating: 1, count: 5)
    #expect(unsafe strlcpy(&bytes, "abc", size) == 3)
    #expect(bytes.prefix { $0 != 0 }.map { UInt8($0) } == Array(text.utf8) && bytes[size] == 1)
  }

  @Test func countsTimeFromTheStartOf2001() {
    // 978,307,200 s lie between the starts of 1970 and 2001.
    let secondsSince1970 = time(nil)
    #expect(abs(CFAbsoluteTimeGetCurrent() - Double(secondsSince1970 - 978_307_200)) < 10)
  }
}
