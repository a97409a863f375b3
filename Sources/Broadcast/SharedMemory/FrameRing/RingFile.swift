import Platform

/// One file of a frame ring, mapped for writing, and its atomic words.
struct RingFile {
  private typealias Header = RingLayout.Header

  let file: MappedFile
  let layout: RingLayout
  let magic: SharedAtomic
  let state: SharedAtomic
  let framesProduced: SharedAtomic
  let framesDropped: SharedAtomic
  let sequences: SharedAtomicRow

  /// Creates the complete file under a temporary name; see ``MappedFile/moveIntoPlace(_:)``.
  init(
    path: String, slotCount: Int, payloadCapacity: Int, session: RingSession
  ) throws(RingError) {
    guard payloadCapacity <= RingLayout.maximumPayload else {
      throw .frameTooLarge(byteCount: payloadCapacity)
    }
    let layout = RingLayout(slotCount: slotCount, payloadCapacity: payloadCapacity)
    self.layout = layout
    file = try RingError.wrapping { () throws(StorageError) in
      try MappedFile(creatingFor: path, byteCount: layout.byteCount)
    }
    magic = SharedAtomic(at: Header.magic, of: file)
    state = SharedAtomic(at: Header.state, of: file)
    framesProduced = SharedAtomic(at: Header.framesProduced, of: file)
    framesDropped = SharedAtomic(at: Header.framesDropped, of: file)
    sequences = layout.sequences(of: file)
    file.withMutableBytes(0..<Header.latest) { header in
      header.storeLittleEndian(RingLayout.magic, at: Header.magic)
      header.storeLittleEndian(RingLayout.version, at: Header.version)
      header.storeLittleEndian(UInt32(slotCount), at: Header.slotCount)
      header.storeLittleEndian(UInt64(layout.slotStride), at: Header.slotStride)
      header.storeLittleEndian(UInt64(RingLayout.slotsOffset), at: Header.slotsOffset)
      header.storeLittleEndian(UInt64(layout.byteCount), at: Header.fileSize)
      header.storeLittleEndian(session.id, at: Header.session)
      header.storeLittleEndian(session.startTime.nanoseconds, at: Header.startTime)
      header.storeLittleEndian(session.processID, at: Header.processID)
    }
    set(.live)
  }

  func set(_ value: RingState) {
    // SYNC: release; the partner is the acquire in FrameRingReader.state. A reader that sees the state sees what was
    // written before it.
    state.storeReleasing(value.rawValue)
  }

  func set(_ error: RingSessionError) {
    file.withMutableBytes(0..<Header.byteCount) { header in
      header.storeLittleEndian(Int64(error.code), at: Header.errorCode)
      header.storeText(error.domain, at: Header.errorDomain, capacity: Header.errorDomainCapacity)
      header.storeText(error.text, at: Header.errorText, capacity: Header.errorTextCapacity)
    }
  }
}
