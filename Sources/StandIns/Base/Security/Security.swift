@_exported import AppleFoundation

// Models the parts of SecRandom.h, SecItem.h, SecTrust.h and SecCertificate.h that handlers use.

public struct SecRandom: Sendable {}
public typealias SecRandomRef = SecRandom
public let kSecRandomDefault: SecRandomRef? = nil
public let errSecSuccess: OSStatus = 0
public let errSecParam: OSStatus = -50
public let errSecDuplicateItem: OSStatus = -25299
public let errSecItemNotFound: OSStatus = -25300

public func SecRandomCopyBytes(
  _ rnd: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer
) -> Int32 {
  var random = SystemRandomNumberGenerator()
  // UNSAFE: the caller's memory of `count` bytes.
  for index in 0..<count { unsafe bytes.storeBytes(of: random.next(), toByteOffset: index, as: UInt8.self) }
  return errSecSuccess
}

// Network has no TLS here: a connection fails before its peer sends certificates, so these types have no values.

public typealias sec_trust_t = SecTrust
public final class SecTrust {
  fileprivate let certificates: [SecCertificate]
  private init(_ certificates: [SecCertificate]) { self.certificates = certificates }
}
public struct SecCertificate { fileprivate let data: CFData }

// UNSAFE: as in Security, the caller releases the reference.
public func sec_trust_copy_ref(_ trust: sec_trust_t) -> Unmanaged<SecTrust> { unsafe .passRetained(trust) }
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { trust.certificates }
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { certificate.data }
