import Foundation

// Models string.h of Darwin. Glibc has these functions since 2.38, and its functions are preferred there.

@_disfavoredOverload @discardableResult
public func strlcpy(_ dst: UnsafeMutablePointer<CChar>!, _ src: UnsafePointer<CChar>!, _ size: Int) -> Int {
  // UNSAFE: the caller's memory of `size` bytes, and a string with a terminating zero.
  let length = unsafe strlen(src)
  guard size > 0 else { return length }
  let count = min(length, size - 1)
  unsafe memcpy(dst, src, count)
  unsafe dst[count] = 0
  return length
}
