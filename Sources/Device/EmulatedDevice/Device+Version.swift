import Foundation

/// Returns the device's version of iOS to `uname`, and so to `ProcessInfo`. Here `release` is the version of iOS; on a phone
/// it is the version of Darwin.
@_cdecl("emulated_release")
func emulatedRelease(_ release: UnsafeMutablePointer<CChar>, _ size: Int) {
  // Code may read the version before the program has its device.
  let ios =
    Device.ifPresent?.ios ?? Device.Identity(environment: ProcessInfo.processInfo.environment)?.ios ?? .newest
  // UNSAFE: the C library's buffer, which has room for `size` bytes.
  unsafe write(ios.text, to: release, size)
}

/// Writes a zero-terminated string into a buffer of `size` bytes. A longer string is truncated.
func write(_ text: String, to buffer: UnsafeMutablePointer<CChar>, _ size: Int) {
  // UNSAFE: the caller's buffer, which has room for `size` bytes.
  let buffer = unsafe UnsafeMutableBufferPointer(start: buffer, count: size)
  for (index, byte) in (Array(text.utf8.prefix(size - 1)) + [0]).enumerated() {
    unsafe buffer[index] = CChar(bitPattern: byte)
  }
}
