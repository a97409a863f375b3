import Foundation

/// The numbers (sys/errno.h) and texts that Darwin gives to errors of system calls, for the codes that an app sees.
package enum DarwinErrno {
  /// Returns Darwin's number for a value of `errno`. A value that Darwin does not have stays as it is.
  package static func number(_ code: Int32) -> Int32 { numbers[code] ?? code }

  /// Returns Darwin's text for a value of `errno`.
  package static func text(_ code: Int32) -> String {
    // UNSAFE: the string is a constant of the C library.
    unsafe texts[code] ?? String(cString: strerror(code))
  }

  /// The texts of errors of sockets that differ from Linux's.
  private static let texts: [Int32: String] = [
    EADDRNOTAVAIL: "Can't assign requested address", EISCONN: "Socket is already connected",
    ENOTCONN: "Socket is not connected", ETIMEDOUT: "Operation timed out",
  ]

  /// The numbers below 35 are equal, except `EDEADLK`.
  private static let numbers: [Int32: Int32] = {
    let from35: [Int32] = [
      EAGAIN, EINPROGRESS, EALREADY, ENOTSOCK, EDESTADDRREQ, EMSGSIZE, EPROTOTYPE, ENOPROTOOPT,
      EPROTONOSUPPORT, ESOCKTNOSUPPORT, ENOTSUP, EPFNOSUPPORT, EAFNOSUPPORT, EADDRINUSE, EADDRNOTAVAIL,
      ENETDOWN, ENETUNREACH, ENETRESET, ECONNABORTED, ECONNRESET, ENOBUFS, EISCONN, ENOTCONN, ESHUTDOWN,
      ETOOMANYREFS, ETIMEDOUT, ECONNREFUSED, ELOOP, ENAMETOOLONG, EHOSTDOWN, EHOSTUNREACH, ENOTEMPTY,
    ]
    let others: [Int32: Int32] = [
      EDEADLK: 11, EUSERS: 68, EDQUOT: 69, ESTALE: 70, ENOLCK: 77, ENOSYS: 78, EOVERFLOW: 84, ECANCELED: 89,
      EIDRM: 90, ENOMSG: 91, EILSEQ: 92, EBADMSG: 94, EMULTIHOP: 95, ENODATA: 96, ENOLINK: 97, ENOSR: 98,
      ENOSTR: 99, EPROTO: 100, ETIME: 101, ENOTRECOVERABLE: 104, EOWNERDEAD: 105,
    ]
    return Dictionary(uniqueKeysWithValues: zip(from35, 35...)).merging(others) { $1 }
  }()
}
