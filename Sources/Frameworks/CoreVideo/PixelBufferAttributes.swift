import Foundation

extension CFDictionary {
  /// The number under `key`, of any type, as Core Foundation's numbers are; `nil` without one and for a fraction.
  func integer(_ key: CFString) -> Int? {
    switch self[key] {
    case let value as any BinaryInteger: Int(exactly: value)
    case let value as any BinaryFloatingPoint: Int(exactly: Double(value))
    case let value as NSNumber: Int(exactly: value)
    default: nil
    }
  }

  /// The attributes in a dictionary of Foundation; keys that are not texts are left out.
  fileprivate init(_ dictionary: NSDictionary) {
    self = [:]
    for case (let key as String, let value) in dictionary { self[key] = value }
  }
}

/// Creates a pixel buffer with attributes in a dictionary of Foundation.
@discardableResult
public func CVPixelBufferCreate(
  _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
  _ pixelBufferAttributes: NSDictionary, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  // UNSAFE: the caller's out parameter, valid for the call.
  unsafe CVPixelBufferCreate(
    allocator, width, height, pixelFormatType, CFDictionary(pixelBufferAttributes), pixelBufferOut)
}

/// Creates a pool with attributes in a dictionary of Foundation.
@discardableResult
public func CVPixelBufferPoolCreate(
  _ allocator: CFAllocator?, _ poolAttributes: CFDictionary?, _ pixelBufferAttributes: NSDictionary,
  _ poolOut: UnsafeMutablePointer<CVPixelBufferPool?>
) -> CVReturn {
  // UNSAFE: the caller's out parameter, valid for the call.
  unsafe CVPixelBufferPoolCreate(allocator, poolAttributes, CFDictionary(pixelBufferAttributes), poolOut)
}
