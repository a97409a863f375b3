/// The arithmetic of 4:2:0 pictures in two planes, as 420f and 420v are.
public enum BiPlanar {
  /// The bytes of a picture without padding: one luma sample a pixel, and a pair of chroma samples to four.
  public static func byteCount(width: Int, height: Int) -> Int {
    let chromaPairs = ((width + 1) / 2) * ((height + 1) / 2)
    return width * height + 2 * chromaPairs
  }
}
