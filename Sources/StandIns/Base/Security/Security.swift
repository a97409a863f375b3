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

public let kSecClass: CFString = "class"
public let kSecClassGenericPassword: CFString = "genp"
public let kSecAttrService: CFString = "svce"
public let kSecAttrAccount: CFString = "acct"
public let kSecAttrAccessGroup: CFString = "agrp"
public let kSecAttrAccessible: CFString = "pdmn"
public let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"
public let kSecReturnData: CFString = "r_Data"
public let kSecMatchLimit: CFString = "m_Limit"
public let kSecMatchLimitOne: CFString = "m_LimitOne"
public let kSecValueData: CFString = "v_Data"

@available(*, unavailable, message: "The emulator has no keychain: use the defaults of the app group.")
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
  0
}
@available(*, unavailable, message: "The emulator has no keychain: use the defaults of the app group.")
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?)
  -> OSStatus
{
  0
}
@available(*, unavailable, message: "The emulator has no keychain: use the defaults of the app group.")
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus { 0 }
@available(*, unavailable, message: "The emulator has no keychain: use the defaults of the app group.")
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { 0 }
