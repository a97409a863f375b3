import EmulatedDevice
import Synchronization

// Models SecItem.h. The keychain is in the memory of the process: it is empty at the start, and other processes do not see it.

public let errSecMissingEntitlement: OSStatus = -34018
public let errSecInteractionNotAllowed: OSStatus = -25308
public let errSecAuthFailed: OSStatus = -25293

public let kSecClass: CFString = "class"
public let kSecClassGenericPassword: CFString = "genp"
public let kSecClassInternetPassword: CFString = "inet"
public let kSecClassKey: CFString = "keys"
public let kSecAttrService: CFString = "svce"
public let kSecAttrAccount: CFString = "acct"
public let kSecAttrServer: CFString = "srvr"
public let kSecAttrLabel: CFString = "labl"
public let kSecAttrGeneric: CFString = "gena"
public let kSecAttrSynchronizable: CFString = "sync"
public let kSecAttrAccessGroup: CFString = "agrp"
public let kSecAttrAccessible: CFString = "pdmn"
public let kSecAttrAccessibleWhenUnlocked: CFString = "ak"
public let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"
public let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
public let kSecReturnData: CFString = "r_Data"
public let kSecReturnAttributes: CFString = "r_Attributes"
public let kSecMatchLimit: CFString = "m_Limit"
public let kSecMatchLimitOne: CFString = "m_LimitOne"
public let kSecMatchLimitAll: CFString = "m_LimitAll"
public let kSecValueData: CFString = "v_Data"

/// The items of this process.
private struct Keychain: @unchecked Sendable {
  // Unchecked `Sendable`: the values are strings, numbers and data.
  var items: [CFDictionary] = []

  static let shared = Mutex(Keychain())
}

extension CFDictionary {
  /// Whether an item has the attributes of a query.
  fileprivate func matches(_ query: CFDictionary) -> Bool {
    query.allSatisfy { key, value in
      key.hasPrefix("r_") || key.hasPrefix("m_") || key == kSecValueData || CFEqual(self[key], value)
    }
  }

  /// Whether two items cannot both be in the keychain.
  fileprivate func isDuplicate(of item: CFDictionary) -> Bool {
    [kSecClass, kSecAttrService, kSecAttrAccount, kSecAttrServer, kSecAttrAccessGroup].allSatisfy {
      CFEqual(self[$0], item[$0])
    }
  }

  /// Whether the lock of the phone refuses the item's data.
  fileprivate var isSealed: Bool {
    let classes = [nil, kSecAttrAccessibleWhenUnlocked, kSecAttrAccessibleWhenUnlockedThisDeviceOnly]
    return Device.current.isSealed && classes.contains(self[kSecAttrAccessible] as? CFString)
  }

  /// The data or the attributes that a query asks for; `nil` if it asks for neither.
  fileprivate func result(_ query: CFDictionary) -> Any? {
    let wantsData = CFEqual(query[kSecReturnData], true)
    guard CFEqual(query[kSecReturnAttributes], true) else { return wantsData ? self[kSecValueData] : nil }
    return filter { wantsData || $0.key != kSecValueData }
  }
}

public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
  guard attributes[kSecClass] != nil else { return errSecParam }
  let item = attributes.filter { !$0.key.hasPrefix("r_") }
  guard !item.isSealed else { return errSecInteractionNotAllowed }
  let isNew = Keychain.shared.withLock { keychain in
    guard !keychain.items.contains(where: item.isDuplicate) else { return false }
    keychain.items.append(item)
    return true
  }
  guard isNew else { return errSecDuplicateItem }
  // UNSAFE: the caller's variable.
  unsafe result?.pointee = item.result(attributes) as CFTypeRef?
  return errSecSuccess
}

public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?)
  -> OSStatus
{
  guard query[kSecClass] != nil else { return errSecParam }
  if CFEqual(query[kSecReturnData], true), findsSealed(query) { return errSecInteractionNotAllowed }
  let results = Keychain.shared.withLock { $0 }.items.filter { $0.matches(query) }.map { $0.result(query) }
  guard let first = results.first else { return errSecItemNotFound }
  let isAll = CFEqual(query[kSecMatchLimit], kSecMatchLimitAll)
  // UNSAFE: the caller's variable.
  unsafe result?.pointee = (isAll ? results.compactMap(\.self) : first) as CFTypeRef?
  return errSecSuccess
}

public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
  if findsSealed(query) { return errSecInteractionNotAllowed }
  return change(query) { $0.merging(attributesToUpdate) { $1 } }
}

public func SecItemDelete(_ query: CFDictionary) -> OSStatus { change(query) { _ in nil } }

/// Whether the lock of the phone refuses the data of an item that matches.
private func findsSealed(_ query: CFDictionary) -> Bool {
  Keychain.shared.withLock { $0 }.items.contains { $0.matches(query) && $0.isSealed }
}

/// Replaces or removes the items that match.
private func change(_ query: CFDictionary, _ body: (CFDictionary) -> CFDictionary?) -> OSStatus {
  guard query[kSecClass] != nil else { return errSecParam }
  return Keychain.shared.withLock { keychain in
    guard keychain.items.contains(where: { $0.matches(query) }) else { return errSecItemNotFound }
    keychain.items = keychain.items.compactMap { $0.matches(query) ? body($0) : $0 }
    return errSecSuccess
  }
}
