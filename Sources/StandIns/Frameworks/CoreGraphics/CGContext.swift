import CPixels
import CoreVideo
import PixelAccess

/// Draws only images and rectangles, into 32-bit pixels or 8-bit gray. Use it on one thread at a time.
@safe
public final class CGContext {
  public let width: Int
  public let height: Int
  public let bytesPerRow: Int
  public let bitsPerComponent = 8
  public var bitsPerPixel: Int { isGray ? 8 : 32 }
  public let colorSpace: CGColorSpace?
  public let bitmapInfo: CGBitmapInfo
  public let data: UnsafeMutableRawPointer?
  private let ownsData: Bool
  private let isGray: Bool
  /// The 32-bit pixels: the data itself, or for gray an intermediate buffer.
  private let colours: UnsafeMutableRawPointer?
  private let colourBytesPerRow: Int
  private let colourLayout: CGBitmapInfo
  private var state = State()
  private var saved: [State] = []

  private struct State {
    var transform = CGAffineTransform.identity
    var quality = CGInterpolationQuality.default
    var fill: [UInt8] = [0, 0, 0, 255]
  }

  /// Returns `nil` for layouts other than 32-bit RGB and 8-bit gray, and logs the reason. Gray is the luma of BT.601;
  /// the weights of a device are not known.
  public init?(
    data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int, bytesPerRow: Int,
    space: CGColorSpace, bitmapInfo: UInt32
  ) {
    let layout = CGBitmapInfo(rawValue: bitmapInfo)
    isGray = space.numberOfComponents == 1 && layout == []
    guard bitsPerComponent == 8, isGray || layout.places != nil else {
      NSLog(
        "%@",
        "CGContext: the emulator draws into pixels of 32 bits with red, green and blue, or 8 of gray only")
      return nil
    }
    let pixelBytes = isGray ? 1 : 4
    guard (1...16_384).contains(width), (1...16_384).contains(height),
      bytesPerRow == 0 || bytesPerRow >= pixelBytes * width
    else { return nil }
    (self.width, self.height, colorSpace, self.bitmapInfo) = (width, height, space, layout)
    self.bytesPerRow = bytesPerRow == 0 ? pixelBytes * width : bytesPerRow
    // UNSAFE: memory for all rows. This object frees it.
    ownsData = unsafe data == nil
    unsafe self.data = unsafe data ?? calloc(height, self.bytesPerRow)
    colourLayout = isGray ? .bgra : layout
    colourBytesPerRow = isGray ? 4 * width : self.bytesPerRow
    unsafe colours = unsafe isGray ? calloc(height, colourBytesPerRow) : self.data
  }

  deinit {
    if isGray { unsafe free(colours) }
    if ownsData { unsafe free(data) }
  }

  public var alphaInfo: CGImageAlphaInfo {
    CGImageAlphaInfo(rawValue: bitmapInfo.rawValue & CGBitmapInfo.alphaInfoMask.rawValue) ?? .none
  }
  public var ctm: CGAffineTransform { state.transform }
  public var interpolationQuality: CGInterpolationQuality {
    get { state.quality }
    set { state.quality = newValue }
  }

  public func saveGState() { saved.append(state) }
  public func restoreGState() { if let last = saved.popLast() { state = last } }
  public func concatenate(_ transform: CGAffineTransform) {
    state.transform = transform.concatenating(state.transform)
  }
  public func translateBy(x tx: CGFloat, y ty: CGFloat) {
    concatenate(CGAffineTransform(translationX: tx, y: ty))
  }
  public func scaleBy(x sx: CGFloat, y sy: CGFloat) { concatenate(CGAffineTransform(scaleX: sx, y: sy)) }
  public func rotate(by angle: CGFloat) { concatenate(CGAffineTransform(rotationAngle: angle)) }
  /// Without effect, because drawing is immediate.
  public func flush() {}

  public func setFillColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    state.fill = [blue * alpha, green * alpha, red * alpha, alpha].map {
      UInt8(clamping: ($0 * 255).rounded())
    }
  }
  public func setFillColor(gray: CGFloat, alpha: CGFloat) {
    setFillColor(red: gray, green: gray, blue: gray, alpha: alpha)
  }

  public func fill(_ rect: CGRect) { cover(rect, with: state.fill) }
  public func clear(_ rect: CGRect) { cover(rect, with: [0, 0, 0, 0]) }

  public func draw(_ image: CGImage, in rect: CGRect) {
    guard let pixels = image.pixels.convertedToBGRA() else { return }
    draw(pixels, in: rect, isNearest: state.quality == .none)
  }

  public func makeImage() -> CGImage? {
    if isGray { makeColours(columns: 0..<width, rows: 0..<height) }
    // UNSAFE: the memory contains all rows.
    guard let data = unsafe colours,
      let pixels = unsafe CGImage.copy(data, width, height, colourBytesPerRow, colourLayout)
    else { return nil }
    return CGImage(width: width, height: height, pixels: pixels)
  }

  private func cover(_ rect: CGRect, with colour: [UInt8]) {
    guard let pixel = CVPixelBuffer.make(width: 1, height: 1, pixelFormat: kCVPixelFormatType_32BGRA) else {
      return
    }
    // UNSAFE: the bytes are within the row of the single pixel.
    unsafe pixel.withBitmap { bitmap in for index in 0..<4 { unsafe bitmap.bytes[index] = colour[index] } }
    draw(pixel, in: rect, isNearest: true)
  }

  private func draw(_ pixels: CVPixelBuffer, in rect: CGRect, isNearest: Bool) {
    let (wide, high) = (CGFloat(CVPixelBufferGetWidth(pixels)), CGFloat(CVPixelBufferGetHeight(pixels)))
    // Converts pixels of the image to pixels of the context, both counted from the top left.
    let toContext = CGAffineTransform(
      a: rect.width / wide, b: 0, c: 0, d: -rect.height / high, tx: rect.minX, ty: rect.maxY
    )
    .concatenating(state.transform)
    .concatenating(CGAffineTransform(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: CGFloat(height)))
    let box = CGRect(x: 0, y: 0, width: wide, height: high).applying(toContext)
    let determinant = toContext.determinant
    guard let order = colourLayout.fromBGRA, let data = unsafe colours, determinant.isFinite,
      let inverse = toContext.inverse,
      box.minX.isFinite, box.minY.isFinite, abs(box.minX) + box.width < 1e6, abs(box.minY) + box.height < 1e6
    else { return }
    let matrix = [inverse.a, inverse.b, inverse.c, inverse.d, inverse.tx, inverse.ty].map(Double.init)
    let taps = min(4, max(1, Int(clamping: (1 / abs(determinant)).squareRoot().rounded())))
    // UNSAFE: the rectangle is within the context's memory, and the image is locked for the call.
    var target = unsafe cpixels_bitmap(
      bytes: data.assumingMemoryBound(to: UInt8.self), bytes_per_row: colourBytesPerRow, width: Int32(width),
      height: Int32(height))
    let (left, top) = (max(0, Int(box.minX.rounded(.down))), max(0, Int(box.minY.rounded(.down))))
    let (right, bottom) = (min(width, Int(box.maxX.rounded(.up))), min(height, Int(box.maxY.rounded(.up))))
    guard right > left, bottom > top else { return }
    if isGray { makeColours(columns: left..<right, rows: top..<bottom) }
    unsafe pixels.withBitmap { source in
      unsafe cpixels_draw(
        &source, &target, Int32(left), Int32(top), Int32(right), Int32(bottom), matrix, order, Int32(taps),
        isNearest ? 1 : 0)
    }
    if isGray { makeGray(columns: left..<right, rows: top..<bottom) }
  }

  private func makeGray(columns: Range<Int>, rows: Range<Int>) {
    unsafe withPixels(columns, rows) { gray, pixels in
      let (blue, green, red) = unsafe (Int(pixels[0]), Int(pixels[1]), Int(pixels[2]))
      unsafe gray.pointee = UInt8((29 * blue + 150 * green + 77 * red) >> 8)
    }
  }

  /// Recreates the colours from the gray pixels, because the caller owns this memory and may have written to it.
  private func makeColours(columns: Range<Int>, rows: Range<Int>) {
    unsafe withPixels(columns, rows) { gray, pixels in
      for index in 0..<3 { unsafe pixels[index] = unsafe gray.pointee }
      unsafe pixels[3] = 255
    }
  }

  private func withPixels(
    _ columns: Range<Int>, _ rows: Range<Int>,
    _ body: (_ gray: UnsafeMutablePointer<UInt8>, _ colours: UnsafeMutablePointer<UInt8>) -> Void
  ) {
    guard let data = unsafe data, let colours = unsafe colours else { return }
    // UNSAFE: the pixels are within the context, and both memories contain these rows.
    for row in rows {
      let gray = unsafe (data + row * bytesPerRow).assumingMemoryBound(to: UInt8.self)
      let pixels = unsafe (colours + row * colourBytesPerRow).assumingMemoryBound(to: UInt8.self)
      for column in columns { unsafe body(gray + column, pixels + 4 * column) }
    }
  }
}
