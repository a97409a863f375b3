import CPhone
import EmulatedDevice
import Platform

extension System {
  /// From now on `ProcessInfo` has the version of iOS that the present device has, as `uname` has it: `release` is that of iOS
  /// here, where a phone has Darwin's.
  package static func interposeVersion() {
    // UNSAFE: the C library's buffer, which has room for `size` bytes.
    unsafe uname_set_hook { release, size in
      guard let release = unsafe release else { return }
      let buffer = unsafe UnsafeMutableBufferPointer(start: release, count: size)
      for (index, byte) in (Array(Device.current.ios.text.utf8.prefix(size - 1)) + [0]).enumerated() {
        unsafe buffer[index] = CChar(bitPattern: byte)
      }
    }
  }
}
