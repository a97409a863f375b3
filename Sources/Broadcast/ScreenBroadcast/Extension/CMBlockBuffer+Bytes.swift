import CoreMedia

extension CMBlockBuffer {
  /// A copy of the first `count` bytes; `nil` when there are fewer.
  func prefix(_ count: Int) -> [UInt8]? {
    var code = kCMBlockBufferNoErr
    // UNSAFE: the call writes `count` bytes or none, and there is room for so many.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { memory, initialized in
      guard let start = memory.baseAddress else { return }
      code = unsafe CMBlockBufferCopyDataBytes(self, atOffset: 0, dataLength: count, destination: start)
      if code == kCMBlockBufferNoErr { initialized = count }
    }
    return code == kCMBlockBufferNoErr ? bytes : nil
  }
}
