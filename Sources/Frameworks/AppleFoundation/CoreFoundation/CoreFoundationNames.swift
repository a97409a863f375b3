// Models the Core Foundation types in the signatures of the frameworks, which Linux cannot import.

/// A Core Foundation string: a Swift string, so that `key as CFString` compiles as on iOS.
public typealias CFString = String

/// A Core Foundation dictionary: a Swift dictionary.
public typealias CFDictionary = [String: Any]

/// A Core Foundation object.
public typealias CFTypeRef = AnyObject

/// An allocator of Core Foundation's create functions.
public final class CFAllocator: Sendable {
  private init() {}

  fileprivate static let null = CFAllocator()
}

/// The default allocator: `nil`, as in Core Foundation.
public let kCFAllocatorDefault: CFAllocator? = nil

/// The allocator that frees nothing: the caller keeps the memory.
public let kCFAllocatorNull: CFAllocator? = .null

/// A four-character code.
public typealias OSType = UInt32

/// A result code of Core Media: zero is success.
public typealias OSStatus = Int32
