@_exported import AppleFoundation

// Models the part of SecRandom.h and SecItem.h that handlers use.

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
