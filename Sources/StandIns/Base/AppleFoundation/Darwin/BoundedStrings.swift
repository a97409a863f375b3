import Foundation

// Models string.h of Darwin. Glibc has the functions from 2.38 on, and its own are preferred there.

@_disfavoredOverload @discardableResult
public func strlcpy(_ dst: UnsafeMutablePointer<CChar>!, _ src: UnsafePointer<CChar>!, _ size: Int) -> Int {
  // UNSAFE: the caller's memory of `size` bytes, and a text with a zero byte.
  let length = unsafe strlen(src)
  guard size > 0 else { return length }
  let count = min(length, size - 1)
  unsafe memcpy(dst, src, count)
  unsafe dst[count] = 0
  return length
}
