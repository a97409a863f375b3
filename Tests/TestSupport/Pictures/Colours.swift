import CPixels
import PixelAccess

extension ColourConversion {
  package func rgb(luma y: UInt8, cb: UInt8, cr: UInt8) -> (red: UInt8, green: UInt8, blue: UInt8) {
    let (light, cb, cr) = (tables[Int(y)] + 32_768, Int(cb), Int(cr))
    func clamped(_ value: Int32) -> UInt8 { UInt8(max(0, min(255, value >> 16))) }
    return (
      clamped(light + tables[256 + cr]), clamped(light + tables[512 + cb] + tables[768 + cr]),
      clamped(light + tables[1024 + cb])
    )
  }
}

extension cpixels_change {
  /// Converts a sample to another matrix, as the samples of a picture are converted.
  package func apply(luma light: UInt8, cb blue: UInt8, cr red: UInt8) -> (
    luma: UInt8, cb: UInt8, cr: UInt8
  ) {
    var (change, result) = (self, [UInt8](repeating: 0, count: 3))
    // UNSAFE: the samples have three bytes.
    unsafe cpixels_change_sample(&change, [light, blue, red], &result)
    return (result[0], result[1], result[2])
  }
}
