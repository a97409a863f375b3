/// The owner of a buffer's memory, notified of accesses: the emulated system.
package protocol PixelAccessObserver: AnyObject, Sendable {
  /// The first of nested locks is about to make the memory accessible.
  func willLock()

  /// The last lock was released.
  func didUnlock()

  /// A caller requests the address of the unlocked buffer, and gets it afterwards.
  func wasAccessedUnlocked()
}

extension CVBuffer {
  /// Returns a buffer over memory of the caller, whose observer is notified of accesses. Rows are aligned to 64 bytes.
  ///
  /// - Parameter lend: returns at least `byteCount` bytes on a page boundary, which stay valid as long as the observer.
  ///   The buffer retains the observer.
  /// - Returns: the buffer, or a code of `CVPixelBufferCreate`.
  package static func make<Failure: Error>(
    width: Int, height: Int, pixelFormat: OSType,
    lend: (_ byteCount: Int) throws(Failure) -> (UnsafeMutableRawPointer, any PixelAccessObserver)
  ) throws(Failure) -> (buffer: CVPixelBuffer?, code: CVReturn) {
    switch PixelBufferLayout.make(width: width, height: height, format: pixelFormat, alignment: 64) {
    case .failure(let failure): return (nil, failure.code)
    case .success(let layout):
      // UNSAFE: the memory is valid as long as its observer, which the buffer retains.
      let (base, observer) = try unsafe lend(layout.byteCount)
      let buffer = unsafe CVBuffer(
        width: width, height: height, pixelFormat: pixelFormat, layout: layout,
        storage: PixelStorage(lent: base) {}, observer: observer)
      return (buffer, kCVReturnSuccess)
    }
  }
}
