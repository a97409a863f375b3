// Models the functions that handlers call for the level of their audio. vImage is missing.
@_exported import Foundation

public typealias vDSP_Length = UInt
public typealias vDSP_Stride = Int

public func vDSP_maxmgv(
  _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Float>, _ __N: vDSP_Length
) {
  var largest: Float = 0
  // UNSAFE: the caller's vector of `__N` elements.
  for index in 0..<Int(__N) { largest = unsafe max(largest, abs(__A[index * __IA])) }
  unsafe __C.pointee = largest
}

@available(*, unavailable, message: "The emulator has no vImage: use CIContext and CIImage.")
public struct vImage_Buffer {
  public init(data: UnsafeMutableRawPointer!, height: UInt, width: UInt, rowBytes: Int) {}
  public init() {}
}
