/// What a description of sound points into, at addresses that stay for as long as it lives.
@safe
final class AudioFormatStorage: @unchecked Sendable {
  // Why unchecked: the memory is written in `init` alone.

  let stream: UnsafeMutablePointer<AudioStreamBasicDescription>
  let layout: UnsafeMutableRawBufferPointer
  let cookie: UnsafeMutableRawBufferPointer

  init(
    _ description: AudioStreamBasicDescription, layout: UnsafeRawBufferPointer, cookie: UnsafeRawBufferPointer
  ) {
    // UNSAFE: freed in `deinit` and nowhere else.
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: description)
    unsafe self.layout = .allocate(byteCount: layout.count, alignment: 16)
    unsafe self.layout.copyMemory(from: layout)
    unsafe self.cookie = .allocate(byteCount: cookie.count, alignment: 16)
    unsafe self.cookie.copyMemory(from: cookie)
  }

  deinit {
    // UNSAFE: allocated in `init`; nobody has the storage any more.
    unsafe stream.deallocate()
    unsafe layout.deallocate()
    unsafe cookie.deallocate()
  }
}
