import Foundation

/// The numbers that Darwin gives to errors of system calls (sys/errno.h), for the codes that an app sees.
package enum DarwinErrno {
  /// Returns Darwin's number for a value of `errno`. A value that Darwin does not have stays as it is.
  package static func number(_ code: Int32) -> Int32 { numbers[code] ?? code }

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
