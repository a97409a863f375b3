import CPhone
import EmulatedDevice
import Platform

extension System {
  /// Makes `uname`, and with it `ProcessInfo`, report the iOS version of the current device. `release` is the version of
  /// iOS here, but Darwin's version on a phone.
  package static func interposeVersion() {
    // UNSAFE: the C library's buffer has room for `size` bytes.
    unsafe uname_set_hook { release, size in
      guard let release = unsafe release else { return }
      let buffer = unsafe UnsafeMutableBufferPointer(start: release, count: size)
      for (index, byte) in (Array(Device.current.ios.text.utf8.prefix(size - 1)) + [0]).enumerated() {
        unsafe buffer[index] = CChar(bitPattern: byte)
      }
    }
  }
}
