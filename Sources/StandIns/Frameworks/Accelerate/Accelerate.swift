// Models the functions that handlers call for the level of their audio.
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

public func vDSP_meanv(
  _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Float>, _ __N: vDSP_Length
) {
  // UNSAFE: the caller's vector of `__N` elements.
  unsafe __C.pointee = (0..<Int(__N)).reduce(0) { unsafe $0 + __A[$1 * __IA] } / Float(__N)
}

public func vDSP_vsadd(
  _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Float>,
  _ __C: UnsafeMutablePointer<Float>, _ __IC: vDSP_Stride, _ __N: vDSP_Length
) {
  // UNSAFE: the caller's vectors of `__N` elements.
  for index in 0..<Int(__N) { unsafe __C[index * __IC] = __A[index * __IA] + __B.pointee }
}

public typealias FFTRadix = Int32
@available(*, unavailable, message: "The emulator has no FFT: leave the spectrum of the audio to the app.")
public typealias FFTSetup = OpaquePointer
public let kFFTRadix2: FFTRadix = 0
@available(*, unavailable, message: "The emulator has no FFT: leave the spectrum of the audio to the app.")
public func vDSP_create_fftsetup(_ __Log2n: vDSP_Length, _ __Radix: FFTRadix) -> OpaquePointer? { nil }
@available(*, unavailable, message: "The emulator has no FFT: leave the spectrum of the audio to the app.")
public func vDSP_fft_zrip(
  _ __Setup: OpaquePointer, _ __C: UnsafePointer<DSPSplitComplex>, _ __IC: vDSP_Stride,
  _ __Log2N: vDSP_Length, _ __Direction: Int32
) {}
@available(*, unavailable, message: "The emulator has no FFT: leave the spectrum of the audio to the app.")
public struct DSPSplitComplex {
  public init(realp: UnsafeMutablePointer<Float>, imagp: UnsafeMutablePointer<Float>) {}
}
