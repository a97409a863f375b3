import CPixels

/// What a change of the matrix adds to luma, and makes of chroma, for each unit of chroma.
package struct MatrixChange: Sendable {
  /// The factors of Cb and Cr.
  typealias Factors = (cb: Double, cr: Double)

  private let change: cpixels_change

  init(luma: Factors, cb: Factors, cr: Factors) {
    func fixed(_ factor: Double) -> Int32 { Int32((factor * 65_536).rounded()) }
    change = cpixels_change(
      luma_cb: fixed(luma.cb), luma_cr: fixed(luma.cr), cb_cb: fixed(cb.cb), cb_cr: fixed(cb.cr),
      cr_cb: fixed(cr.cb), cr_cr: fixed(cr.cr))
  }

  package func apply(luma light: UInt8, cb blue: UInt8, cr red: UInt8) -> (
    luma: UInt8, cb: UInt8, cr: UInt8
  ) {
    var (change, result) = (change, [UInt8](repeating: 0, count: 3))
    // UNSAFE: samples of three bytes.
    unsafe cpixels_change_sample(&change, [light, blue, red], &result)
    return (result[0], result[1], result[2])
  }

  /// Changes planes of full range, which are locked.
  func apply(to planes: inout cpixels_planes) {
    var change = change
    // UNSAFE: the caller's planes.
    unsafe cpixels_change_planes(&planes, &change)
  }

  /// Calls `body` with the change for a loop.
  fileprivate func withPointer(_ body: (UnsafePointer<cpixels_change>) -> Void) {
    unsafe withUnsafePointer(to: change) { unsafe body($0) }
  }
}

/// The rows of a 420f picture as an encoder reads them: luma, Cb and Cr of each pixel, by another matrix.
@safe package struct PictureRows {
  private let planes: cpixels_planes
  private let change: MatrixChange?

  /// The planes outlive the rows.
  package init(of planes: cpixels_planes, _ matrix: ColourMatrix, as wanted: ColourMatrix) {
    unsafe self.planes = planes
    change = matrix == wanted ? nil : matrix.change(to: wanted)
  }

  /// Writes a row, three bytes for each pixel.
  package func write(_ y: Int, to row: UnsafeMutablePointer<UInt8>?) {
    // UNSAFE: the row is one of the planes, and has room for its pixels.
    unsafe withUnsafePointer(to: planes) { planes in
      guard let change else { return unsafe cpixels_write_row(planes, nil, Int32(y), row) }
      unsafe change.withPointer { unsafe cpixels_write_row(planes, $0, Int32(y), row) }
    }
  }
}
