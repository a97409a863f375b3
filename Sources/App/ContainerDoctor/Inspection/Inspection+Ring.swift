import CoreVideo
import PixelAccess
import ScreenBroadcast
import SharedMemory

/// The frame ring: `Docs/Internals/FileFormat.md`, "The ring file".
extension Inspection {
  private typealias Header = RingLayout.Header
  private typealias Slot = RingLayout.Slot

  mutating func addRing(_ bytes: [UInt8]) {
    guard expect(bytes.count >= RingLayout.slotsOffset, "the file ends within its header"),
      addVersion(bytes.uint32(at: Header.version), known: RingLayout.version),
      let geometry = addGeometry(bytes)
    else { return }
    addSession(
      bytes.uint64(at: Header.session), pid: bytes.uint32(at: Header.processID),
      state: bytes.uint64(at: Header.state))
    addFrame(bytes, geometry)
  }

  static func counter(of slot: Int) -> Int { Header.sequences + slot * Header.sequenceStride }

  private mutating func addGeometry(_ bytes: [UInt8]) -> (slots: Int, stride: Int)? {
    let slots = bytes.uint32(at: Header.slotCount)
    let stride = bytes.uint64(at: Header.slotStride)
    let offset = bytes.uint64(at: Header.slotsOffset)
    add(.slots, slots)
    add(.slotStride, stride)
    let areValid = [
      expect(
        RingLayout.slotCounts.contains(Int(slots)), "it has \(slots) slots, and a ring has 2 to 8"),
      expect(
        stride % UInt64(RingLayout.slotAlignment) == 0
          && RingLayout.slotStrides.contains(Int(clamping: stride)),
        "the slot stride is \(stride), and strides are multiples of 4096 up to 256 MiB and 4 KiB"),
      expect(
        offset == UInt64(RingLayout.slotsOffset),
        "the slots begin at \(offset) and not at \(RingLayout.slotsOffset)"),
    ]
    guard !areValid.contains(false),
      expectSize(
        RingLayout.byteCount(slotCount: Int(slots), slotStride: Int(stride)),
        stated: bytes.uint64(at: Header.fileSize), of: bytes, parts: "slots")
    else { return nil }
    return (Int(slots), Int(stride))
  }

  private mutating func addFrame(_ bytes: [UInt8], _ geometry: (slots: Int, stride: Int)) {
    let (number, slot) = RingLayout.unpack(bytes.uint64(at: Header.latest))
    add(.frameNumber, number)
    guard number > 0 else {
      note = "No frame has been published in this file yet."
      whyNoPicture = "no frame has been published yet"
      return
    }
    guard
      expect(
        slot < geometry.slots, "the newest frame is in slot \(slot), and there are \(geometry.slots)")
    else { return }
    let (counter, complete) = (bytes.uint64(at: Self.counter(of: slot)), RingLayout.complete(number))
    expect(
      counter == complete,
      "the counter of slot \(slot) is \(counter), and with frame \(number) complete it is \(complete)")
    let start = RingLayout.slotsOffset + slot * geometry.stride
    let frame = bytes.uint64(at: start + Slot.frameNumber)
    let size = bytes.uint64(at: start + Slot.payloadSize)
    expect(frame == number, "slot \(slot) holds frame \(frame), and the newest is \(number)")
    add(.captureTimeNs, bytes.uint64(at: start + Slot.captureTime))
    add(.publishTimeNs, bytes.uint64(at: start + Slot.publishTime))
    let orientation = bytes.uint32(at: start + Slot.orientation)
    add(.orientation, orientation)
    expect((1...8).contains(orientation), "the orientation is \(orientation), and orientations are 1 to 8")
    let room = geometry.stride - Slot.payload
    guard expect(size <= UInt64(room), "the frame has \(size) bytes, and its slot has \(room)"),
      let payload = bytes.slice(start + Slot.payload, Int(size))
    else { return }
    do throws(PixelBufferSerializer.Failure) {
      let strides = try PixelBufferSerializer.bytesPerRow(in: payload.span)
      var serializer = PixelBufferSerializer()
      let frame = try serializer.deserialize(payload.span)
      add(.pixelFormat, CVPixelBufferGetPixelFormatType(frame).fourCharacters)
      add(.width, CVPixelBufferGetWidth(frame))
      add(.height, CVPixelBufferGetHeight(frame))
      add(.lumaBytesPerRow, strides[0])
      add(.chromaBytesPerRow, strides[1])
      picture = frame
    } catch {
      fail("\(error)")
    }
  }
}

// What the headers of both rings have.
extension Inspection {
  /// Adds the version of a ring; returns whether it is the known one.
  mutating func addVersion(_ version: UInt32, known: UInt32) -> Bool {
    add(.version, version)
    return expect(version == known, "the version is \(version), and version \(known) is known")
  }

  mutating func addSession(_ session: UInt64, pid: UInt32, state: UInt64) {
    add(.session, String(session, radix: 16))
    expect(session != 0, "the session has no number")
    add(.pid, Int32(bitPattern: pid))
    let known = RingState(rawValue: state)
    add(.state, known.map { "\($0)" } ?? "\(state)")
    expect(known != nil, "the state is \(state), and states are 1 to 4")
  }

  /// Checks the size of a file against its header and its geometry, and its end mark; returns whether the sizes agree.
  mutating func expectSize(_ size: Int, stated: UInt64, of bytes: [UInt8], parts: String) -> Bool {
    let isStated = expect(
      stated == UInt64(size), "the header states \(stated) bytes, and its \(parts) make \(size)")
    guard expect(bytes.count == size, "the file has \(bytes.count) bytes, and its \(parts) make \(size)")
    else {
      return false
    }
    expect(
      bytes.suffix(8).elementsEqual(bytes.prefix(8)),
      "the end mark is missing: the file was cut short and enlarged")
    return isStated
  }
}
