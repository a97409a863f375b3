import PixelAccess

/// A turn of one plane: the samples change their places, and nothing else.
///
/// A quarter turn works on square blocks of 64 bytes, eight rows of eight luma samples or four of four pairs,
/// which are exchanged in words. That takes few steps per sample, so debug builds stay usable, and touches
/// memory in short runs in both directions. The last block of a row is moved back to overlap the one before
/// it, so that no size leaves a remainder.
struct PlaneTurn {
  /// What a plane consists of; the raw value is the bytes of a sample.
  enum Sample: Int {
    case luma = 1
    case chroma = 2

    /// The samples along the side of a block: a word of them.
    var blockSide: Int { self == .luma ? 8 : 4 }
  }

  let rotation: PictureRotation
  let sample: Sample

  /// Writes the turned `source` over every visible byte of `target`. Traps when the shapes are not of one
  /// another's size, or larger than the spans.
  func apply(
    to source: Span<UInt8>, _ sourceShape: PlaneShape, into target: inout MutableSpan<UInt8>,
    _ shape: PlaneShape
  ) {
    let size = rotation.uprightSize(width: sourceShape.width, height: sourceShape.height)
    precondition(size == (shape.width, shape.height), "the planes are not of one another's size")
    precondition(contains(sourceShape, source.count) && contains(shape, target.count), "a plane is too short")
    // UNSAFE: the planes hold the bytes of their shapes, which was just checked; the walks below stay in them.
    unsafe source.withUnsafeBytes { source in
      unsafe target.withUnsafeMutableBytes { target in
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        let (stride, targetStride) = (sourceShape.bytesPerRow, shape.bytesPerRow)
        switch rotation {
        case .none:
          for row in 0..<shape.height {
            unsafe (to + row * targetStride).copyMemory(
              from: from + row * stride, byteCount: shape.width * sample.rawValue)
          }
        case .half:
          for row in 0..<shape.height {
            unsafe reverse(
              from: from + row * stride, to: to + (shape.height - 1 - row) * targetStride, count: shape.width)
          }
        case .quarter:
          // A quarter turn is a transposition of the rows from the last one up.
          unsafe transpose(
            from: from + (sourceShape.height - 1) * stride, -stride, to: to, targetStride,
            columns: sourceShape.width, rows: sourceShape.height)
        case .threeQuarters:
          // And the opposite one fills the rows from the last one up.
          unsafe transpose(
            from: from, stride, to: to + (shape.height - 1) * targetStride, -targetStride,
            columns: sourceShape.width, rows: sourceShape.height)
        }
      }
    }
  }

  private func contains(_ shape: PlaneShape, _ count: Int) -> Bool {
    shape.width > 0 && shape.height > 0 && shape.width <= shape.bytesPerRow / sample.rawValue
      && shape.byteCount <= count
  }

  // MARK: Quarter turns

  /// Makes column `n` of the source row `n` of the target. The strides, in bytes, may be negative.
  @unsafe
  private func transpose(
    from source: UnsafeRawPointer, _ stride: Int, to target: UnsafeMutableRawPointer, _ targetStride: Int,
    columns: Int, rows: Int
  ) {
    let (side, bytes) = (sample.blockSide, sample.rawValue)
    guard columns >= side, rows >= side else {
      // Less than a block in one direction: sample by sample.
      for row in 0..<rows {
        for column in 0..<columns {
          // UNSAFE: a sample inside of both planes.
          unsafe (target + column * targetStride + row * bytes).copyMemory(
            from: source + row * stride + column * bytes, byteCount: bytes)
        }
      }
      return
    }
    // UNSAFE: the last block ends with the last column and row, so every block is inside of both planes.
    var column = 0
    while column < columns {
      let blockColumn = min(column, columns &- side)
      let to = unsafe target + blockColumn &* targetStride
      let from = unsafe source + blockColumn &* bytes
      var row = 0
      while row < rows {
        let blockRow = min(row, rows &- side)
        switch sample {
        case .luma:
          unsafe transposeBytes(
            from: from + blockRow &* stride, stride, to: to + blockRow, targetStride)
        case .chroma:
          unsafe transposePairs(
            from: from + blockRow &* stride, stride, to: to + blockRow &* 2, targetStride)
        }
        row &+= side
      }
      column &+= side
    }
  }

  /// Transposes eight rows of eight bytes: each step exchanges squares of bytes half as large as the one before.
  @inline(__always) @unsafe
  private func transposeBytes(
    from source: UnsafeRawPointer, _ stride: Int, to target: UnsafeMutableRawPointer, _ targetStride: Int
  ) {
    // UNSAFE: eight rows of eight bytes from either pointer, which the caller answers for.
    var rows = unsafe (
      word(source), word(source + stride), word(source + 2 &* stride), word(source + 3 &* stride),
      word(source + 4 &* stride), word(source + 5 &* stride), word(source + 6 &* stride),
      word(source + 7 &* stride)
    )
    exchange(&rows.0, &rows.4, 32, 0x0000_0000_FFFF_FFFF)
    exchange(&rows.1, &rows.5, 32, 0x0000_0000_FFFF_FFFF)
    exchange(&rows.2, &rows.6, 32, 0x0000_0000_FFFF_FFFF)
    exchange(&rows.3, &rows.7, 32, 0x0000_0000_FFFF_FFFF)
    exchange(&rows.0, &rows.2, 16, 0x0000_FFFF_0000_FFFF)
    exchange(&rows.1, &rows.3, 16, 0x0000_FFFF_0000_FFFF)
    exchange(&rows.4, &rows.6, 16, 0x0000_FFFF_0000_FFFF)
    exchange(&rows.5, &rows.7, 16, 0x0000_FFFF_0000_FFFF)
    exchange(&rows.0, &rows.1, 8, 0x00FF_00FF_00FF_00FF)
    exchange(&rows.2, &rows.3, 8, 0x00FF_00FF_00FF_00FF)
    exchange(&rows.4, &rows.5, 8, 0x00FF_00FF_00FF_00FF)
    exchange(&rows.6, &rows.7, 8, 0x00FF_00FF_00FF_00FF)
    unsafe put(rows.0, target)
    unsafe put(rows.1, target + targetStride)
    unsafe put(rows.2, target + 2 &* targetStride)
    unsafe put(rows.3, target + 3 &* targetStride)
    unsafe put(rows.4, target + 4 &* targetStride)
    unsafe put(rows.5, target + 5 &* targetStride)
    unsafe put(rows.6, target + 6 &* targetStride)
    unsafe put(rows.7, target + 7 &* targetStride)
  }

  /// Transposes four rows of four pairs.
  @inline(__always) @unsafe
  private func transposePairs(
    from source: UnsafeRawPointer, _ stride: Int, to target: UnsafeMutableRawPointer, _ targetStride: Int
  ) {
    // UNSAFE: four rows of eight bytes from either pointer, which the caller answers for.
    var rows = unsafe (
      word(source), word(source + stride), word(source + 2 &* stride), word(source + 3 &* stride)
    )
    exchange(&rows.0, &rows.2, 32, 0x0000_0000_FFFF_FFFF)
    exchange(&rows.1, &rows.3, 32, 0x0000_0000_FFFF_FFFF)
    exchange(&rows.0, &rows.1, 16, 0x0000_FFFF_0000_FFFF)
    exchange(&rows.2, &rows.3, 16, 0x0000_FFFF_0000_FFFF)
    unsafe put(rows.0, target)
    unsafe put(rows.1, target + targetStride)
    unsafe put(rows.2, target + 2 &* targetStride)
    unsafe put(rows.3, target + 3 &* targetStride)
  }

  /// Exchanges the bits of `first` that stand `shift` above those of `mask` for the bits of `second` under it.
  @inline(__always)
  private func exchange(_ first: inout UInt64, _ second: inout UInt64, _ shift: UInt64, _ mask: UInt64) {
    let difference = (first &>> shift ^ second) & mask
    second ^= difference
    first ^= difference &<< shift
  }

  // MARK: Half turns

  /// Writes the samples of a row in the opposite order.
  @unsafe
  private func reverse(from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int) {
    let (side, bytes) = (sample.blockSide, sample.rawValue)
    guard count >= side else {
      for index in 0..<count {
        // UNSAFE: a sample inside of both rows.
        unsafe (target + (count - 1 - index) * bytes).copyMemory(
          from: source + index * bytes, byteCount: bytes)
      }
      return
    }
    // UNSAFE: the last word ends with the last sample, so every word is inside of both rows.
    var index = 0
    while index < count {
      let at = min(index, count &- side)
      var word = unsafe word(source + at &* bytes).byteSwapped
      if sample == .chroma {
        // The bytes of each pair go back to their order.
        word = (word & 0x00FF_00FF_00FF_00FF) &<< 8 | word &>> 8 & 0x00FF_00FF_00FF_00FF
      }
      unsafe put(word, target + (count &- side &- at) &* bytes)
      index &+= side
    }
  }

  // MARK: Words

  /// Eight bytes, the first in the lowest bits.
  @inline(__always) @unsafe
  private func word(_ source: UnsafeRawPointer) -> UInt64 {
    // UNSAFE: the caller answers for eight bytes; any eight bytes are a number.
    unsafe UInt64(littleEndian: source.loadUnaligned(as: UInt64.self))
  }

  @inline(__always) @unsafe
  private func put(_ word: UInt64, _ target: UnsafeMutableRawPointer) {
    // UNSAFE: the caller answers for eight bytes.
    unsafe target.storeBytes(of: word.littleEndian, as: UInt64.self)
  }
}
