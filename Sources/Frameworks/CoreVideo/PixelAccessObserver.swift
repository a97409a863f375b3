/// Who lends a buffer's memory and wants to know who comes to it, and how: the emulated system.
package protocol PixelAccessObserver: AnyObject, Sendable {
  /// Somebody is about to reach the memory: the first of nested locks.
  func willOpen()

  /// Nobody may reach the memory any more: the last lock was given back.
  func didClose()

  /// Somebody asked for the address of the memory without having locked the buffer, and gets it when this
  /// returns.
  func wasAskedUnlocked()
}

extension CVBuffer {
  /// A buffer whose memory somebody else provides, who is told of every access. Rows are aligned to 64 bytes.
  ///
  /// - Parameter lend: gives memory of at least as many bytes, on a page boundary, with an observer that keeps it
  ///   there; the buffer keeps the observer.
  /// - Returns: the buffer, or the code `CVPixelBufferCreate` would answer.
  package static func make<Failure: Error>(
    width: Int, height: Int, pixelFormat: OSType,
    lend: (_ byteCount: Int) throws(Failure) -> (UnsafeMutableRawPointer, any PixelAccessObserver)
  ) throws(Failure) -> (buffer: CVPixelBuffer?, code: CVReturn) {
    switch PixelBufferLayout.make(width: width, height: height, format: pixelFormat, alignment: 64) {
    case .failure(let failure): return (nil, failure.code)
    case .success(let layout):
      // UNSAFE: the memory is there as long as its observer, which the buffer keeps.
      let (base, observer) = try unsafe lend(layout.byteCount)
      let buffer = unsafe CVBuffer(
        width: width, height: height, pixelFormat: pixelFormat, layout: layout,
        storage: PixelStorage(lent: base) {}, observer: observer)
      return (buffer, kCVReturnSuccess)
    }
  }
}
