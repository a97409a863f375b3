// The Core Foundation names that the frameworks' signatures mention, as the Swift types that stand for them
// on Linux, where Core Foundation is not importable.

/// A Core Foundation string: a Swift string on Linux, so that `key as CFString` compiles as it does on iOS.
public typealias CFString = String

/// A Core Foundation dictionary: a Swift dictionary on Linux.
public typealias CFDictionary = [String: Any]

/// Any Core Foundation object.
public typealias CFTypeRef = AnyObject

/// The allocator parameter of Core Foundation's create functions: here the default one, and the one that does nothing.
public final class CFAllocator: Sendable {
  private init() {}

  fileprivate static let null = CFAllocator()
}

/// The default allocator: `nil`, as in Core Foundation.
public let kCFAllocatorDefault: CFAllocator? = nil

/// The allocator that frees nothing: for memory that stays its maker's.
public let kCFAllocatorNull: CFAllocator? = .null

/// A four-character code.
public typealias OSType = UInt32

/// A result code of Core Media: 0 is success.
public typealias OSStatus = Int32
