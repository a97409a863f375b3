import CoreVideo
import PixelAccess
import ScreenBroadcast
import SharedMemory

/// The frame ring of this program: `Docs/FileFormat.md`, "The ring file".
enum RingFormat: KnownFormat {
  static let name = "ring"
  static let summary = "the frame ring of this program"

  private typealias Header = RingLayout.Header
  private typealias Slot = RingLayout.Slot

  static func inspect(_ bytes: FileBytes) -> Inspection? {
    guard bytes.number(at: Header.magic, as: UInt64.self) == RingLayout.magic else { return nil }
    var inspection = Inspection(self)
    guard inspection.expect(bytes.count >= RingLayout.slotsOffset, "the file ends within its header") else {
      return inspection
    }
    let version = bytes.uint32(at: Header.version)
    inspection.add(.version, version)
    guard
      inspection.expect(
        version == RingLayout.version, "the version is \(version), and version \(RingLayout.version) is known"
      ), let geometry = geometry(bytes, &inspection)
    else { return inspection }
    inspection.addSession(
      bytes.uint64(at: Header.session), pid: bytes.uint32(at: Header.processID),
      state: bytes.uint64(at: Header.state))
    addFrame(bytes, geometry, &inspection)
    return inspection
  }

  /// Whether the bytes are a ring with a frame, which the writer may overwrite during the read.
  static func hasFrame(_ bytes: FileBytes) -> Bool {
    bytes.number(at: Header.magic, as: UInt64.self) == RingLayout.magic && counter(bytes) != nil
  }

  /// Whether the newest frame of `bytes` was still whole when `header` was read.
  static func isUnchanged(_ bytes: FileBytes, according header: FileBytes) -> Bool {
    guard let (slot, counter) = counter(bytes) else { return true }
    return counter % 2 == 0
      && header.number(at: Header.sequences + slot * Header.sequenceStride, as: UInt64.self) == counter
  }

  private static func geometry(
    _ bytes: FileBytes, _ inspection: inout Inspection
  ) -> (slots: Int, stride: Int)? {
    let slots = bytes.uint32(at: Header.slotCount)
    let stride = bytes.uint64(at: Header.slotStride)
    let offset = bytes.uint64(at: Header.slotsOffset)
    inspection.add(.slots, slots)
    inspection.add(.slotStride, stride)
    let isCount = inspection.expect(
      RingLayout.slotCounts.contains(Int(slots)), "it has \(slots) slots, and a ring has 2 to 8")
    let isStride = inspection.expect(
      stride % 4096 == 0 && (4096...UInt64(RingLayout.maximumPayload + 8192)).contains(stride),
      "the slot stride is \(stride), and strides are whole pages up to 256 MiB and 8 KiB")
    let isOffset = inspection.expect(
      offset == UInt64(RingLayout.slotsOffset),
      "the slots begin at \(offset), and they must at \(RingLayout.slotsOffset)")
    guard isCount, isStride, isOffset,
      inspection.expectSize(
        RingLayout.slotsOffset + Int(slots) * Int(stride), stated: bytes.uint64(at: Header.fileSize),
        actual: bytes.count, of: "slots")
    else { return nil }
    return (Int(slots), Int(stride))
  }

  private static func addFrame(
    _ bytes: FileBytes, _ geometry: (slots: Int, stride: Int), _ inspection: inout Inspection
  ) {
    let (number, slot) = RingLayout.unpack(bytes.uint64(at: Header.latest))
    inspection.add(.frameNumber, number)
    guard number > 0 else {
      inspection.note = "No frame has been published in this file yet."
      inspection.whyNoPicture = "no frame has been published yet"
      return
    }
    guard
      inspection.expect(
        slot < geometry.slots, "the newest frame is in slot \(slot), and there are \(geometry.slots)"),
      let (_, counter) = counter(bytes)
    else { return }
    inspection.expect(
      counter == RingLayout.complete(number),
      "the counter of slot \(slot) is \(counter), and with frame \(number) complete it is "
        + "\(RingLayout.complete(number))")
    let start = RingLayout.slotsOffset + slot * geometry.stride
    let frame = bytes.uint64(at: start + Slot.frameNumber)
    let size = bytes.uint64(at: start + Slot.payloadSize)
    inspection.expect(frame == number, "slot \(slot) holds frame \(frame), and the newest is \(number)")
    inspection.add(.captureTimeNs, bytes.uint64(at: start + Slot.captureTime))
    inspection.add(.publishTimeNs, bytes.uint64(at: start + Slot.publishTime))
    inspection.addOrientation(bytes.uint32(at: start + Slot.orientation))
    let room = geometry.stride - Slot.payload
    guard inspection.expect(size <= UInt64(room), "the frame has \(size) bytes, and its slot has \(room)"),
      let payload = bytes.slice(start + Slot.payload, Int(size))
    else { return }
    addPicture(Array(payload), &inspection)
  }

  private static func addPicture(_ payload: [UInt8], _ inspection: inout Inspection) {
    do throws(PixelBufferSerializer.Failure) {
      let strides = try PixelBufferSerializer.bytesPerRow(in: payload.span)
      var serializer = PixelBufferSerializer()
      let picture = try serializer.deserialize(payload.span)
      inspection.add(.pixelFormat, CVPixelBufferGetPixelFormatType(picture).fourCharacters)
      inspection.add(.width, CVPixelBufferGetWidth(picture))
      inspection.add(.height, CVPixelBufferGetHeight(picture))
      inspection.add(.lumaBytesPerRow, strides[0])
      inspection.add(.chromaBytesPerRow, strides[1])
      inspection.picture = picture
    } catch {
      inspection.expect(false, "\(error)")
    }
  }

  /// The slot of the newest frame and its counter; `nil` if there is no frame or no such slot.
  private static func counter(_ bytes: FileBytes) -> (slot: Int, value: UInt64)? {
    guard let latest = bytes.number(at: Header.latest, as: UInt64.self), latest >> 8 > 0 else { return nil }
    let slot = RingLayout.unpack(latest).slot
    guard RingLayout.slotCounts.upperBound > slot,
      let value = bytes.number(at: Header.sequences + slot * Header.sequenceStride, as: UInt64.self)
    else { return nil }
    return (slot, value)
  }
}
