extension Device {
  /// The device whose version `ProcessInfo` has. Code may ask for it before the program installs its device.
  fileprivate static var ofProcessInfo: Device { ifPresent ?? .ofApp() }
}

/// Gives `uname`, and so `ProcessInfo`, the version of iOS that the device has: `release` is that of iOS here, where a phone has
/// Darwin's.
@_cdecl("emulated_release")
func emulatedRelease(_ release: UnsafeMutablePointer<CChar>, _ size: Int) {
  // UNSAFE: the C library's buffer, which has room for `size` bytes.
  let buffer = unsafe UnsafeMutableBufferPointer(start: release, count: size)
  for (index, byte) in (Array(Device.ofProcessInfo.ios.text.utf8.prefix(size - 1)) + [0]).enumerated() {
    unsafe buffer[index] = CChar(bitPattern: byte)
  }
}
