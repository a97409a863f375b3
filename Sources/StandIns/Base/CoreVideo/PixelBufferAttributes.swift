import Foundation

extension CFDictionary {
  /// Returns the number under `key`, of any numeric type, as for numbers of Core Foundation; `nil` if there is none,
  /// and for a fraction.
  func integer(_ key: CFString) -> Int? { Self.integer(self[key]) }

  /// The pixel format: a number, or the first supported format of a list.
  var pixelFormat: OSType? {
    guard let list = self[kCVPixelBufferPixelFormatTypeKey] as? [Any] else {
      return integer(kCVPixelBufferPixelFormatTypeKey).flatMap(OSType.init(exactly:))
    }
    let formats = list.compactMap { Self.integer($0).flatMap(OSType.init(exactly:)) }
    return formats.first(where: PixelBufferLayout.isSupported) ?? formats.first
  }

  private static func integer(_ value: Any?) -> Int? {
    switch value {
    case let value as any BinaryInteger: Int(exactly: value)
    case let value as any BinaryFloatingPoint: Int(exactly: Double(value))
    case let value as NSNumber: Int(exactly: value)
    default: nil
    }
  }

  /// Creates attributes from a dictionary of Foundation. Keys that are not strings are skipped.
  fileprivate init(_ dictionary: NSDictionary) {
    self = [:]
    for case (let key as String, let value) in dictionary { self[key] = value }
  }
}

@discardableResult
public func CVPixelBufferCreate(
  _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
  _ pixelBufferAttributes: NSDictionary, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  // UNSAFE: the caller's out parameter, valid for the call.
  unsafe CVPixelBufferCreate(
    allocator, width, height, pixelFormatType, CFDictionary(pixelBufferAttributes), pixelBufferOut)
}

@discardableResult
public func CVPixelBufferPoolCreate(
  _ allocator: CFAllocator?, _ poolAttributes: CFDictionary?, _ pixelBufferAttributes: NSDictionary,
  _ poolOut: UnsafeMutablePointer<CVPixelBufferPool?>
) -> CVReturn {
  // UNSAFE: the caller's out parameter, valid for the call.
  unsafe CVPixelBufferPoolCreate(allocator, poolAttributes, CFDictionary(pixelBufferAttributes), poolOut)
}
