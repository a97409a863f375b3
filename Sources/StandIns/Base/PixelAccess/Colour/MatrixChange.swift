import CPixels

/// What a change of the matrix adds to luma, and makes of chroma, for each unit of chroma.
package struct MatrixChange: Sendable {
  typealias Factors = (cb: Double, cr: Double)

  package let factors: cpixels_change

  init(luma: Factors, cb: Factors, cr: Factors) {
    func fixed(_ factor: Double) -> Int32 { Int32((factor * 65_536).rounded()) }
    factors = cpixels_change(
      luma_cb: fixed(luma.cb), luma_cr: fixed(luma.cr), cb_cb: fixed(cb.cb), cb_cr: fixed(cb.cr),
      cr_cb: fixed(cr.cb), cr_cr: fixed(cr.cr))
  }

  package func apply(luma light: UInt8, cb blue: UInt8, cr red: UInt8) -> (
    luma: UInt8, cb: UInt8, cr: UInt8
  ) {
    var (change, result) = (factors, [UInt8](repeating: 0, count: 3))
    // UNSAFE: samples of three bytes.
    unsafe cpixels_change_sample(&change, [light, blue, red], &result)
    return (result[0], result[1], result[2])
  }
}
