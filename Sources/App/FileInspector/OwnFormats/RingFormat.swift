import CoreVideo
import PixelAccess
import ScreenBroadcast
import SharedMemory

/// The ring of this program: `Docs/FileFormat.md`, "The ring file".
enum RingFormat: KnownFormat {
  static let name = "ring"
  static let summary = "the frame ring of this program"

  private typealias Header = RingLayout.Header
  private typealias Slot = RingLayout.Slot

  static func inspect(_ bytes: FileBytes) -> Inspection? {
    guard bytes.number(at: Header.magic, as: UInt64.self) == RingLayout.magic else { return nil }
    var inspection = Inspection(self)
    guard inspection.expect(bytes.count >= RingLayout.slotsOffset, "the file ends within its header"),
      let version = bytes.number(at: Header.version, as: UInt32.self)
    else { return inspection }
    inspection.add(.version, Int(version))
    guard
      inspection.expect(
        version == RingLayout.version, "the version is \(version), and version \(RingLayout.version) is known"
      )
    else { return inspection }
    guard let geometry = geometry(bytes, &inspection) else { return inspection }
    addSession(bytes, &inspection)
    addFrame(bytes, geometry, &inspection)
    return inspection
  }

  /// Whether the bytes are a ring with a frame, whose slot the writer may have gone over while they were read.
  static func isInUse(_ bytes: FileBytes) -> Bool {
    bytes.number(at: Header.magic, as: UInt64.self) == RingLayout.magic && counter(bytes) != nil
  }

  /// Whether the newest frame of `bytes` was not gone over before `header` was read.
  static func isUnchanged(_ bytes: FileBytes, according header: FileBytes) -> Bool {
    guard let (slot, counter) = counter(bytes) else { return true }
    return counter % 2 == 0
      && header.number(at: Header.sequences + slot * Header.sequenceStride, as: UInt64.self) == counter
  }

  private struct Geometry {
    var slots: Int
    var stride: Int
  }

  private static func geometry(_ bytes: FileBytes, _ inspection: inout Inspection) -> Geometry? {
    guard let slots = bytes.number(at: Header.slotCount, as: UInt32.self),
      let stride = bytes.number(at: Header.slotStride, as: UInt64.self),
      let offset = bytes.number(at: Header.slotsOffset, as: UInt64.self),
      let fileSize = bytes.number(at: Header.fileSize, as: UInt64.self)
    else { return nil }
    inspection.add(.slots, Int(slots))
    inspection.add(.slotStride, Int(clamping: stride))
    let isCount = inspection.expect(
      RingLayout.slotCounts.contains(Int(slots)), "it has \(slots) slots, and a ring has 2 to 8")
    let isStride = inspection.expect(
      stride % 4096 == 0 && (4096...UInt64(RingLayout.maximumPayload + 8192)).contains(stride),
      "the slot stride \(stride) is no whole number of pages up to 256 MiB and 8 KiB")
    let isOffset = inspection.expect(
      offset == UInt64(RingLayout.slotsOffset),
      "the slots begin at \(offset), and they must at \(RingLayout.slotsOffset)")
    guard isCount, isStride, isOffset else { return nil }
    let size = RingLayout.slotsOffset + Int(slots) * Int(stride)
    let isStated = inspection.expect(
      fileSize == UInt64(size), "the header states \(fileSize) bytes, and its slots make \(size)")
    let isThere = inspection.expect(
      bytes.count == size, "the file has \(bytes.count) bytes, and its slots make \(size)")
    return isStated && isThere ? Geometry(slots: Int(slots), stride: Int(stride)) : nil
  }

  private static func addSession(_ bytes: FileBytes, _ inspection: inout Inspection) {
    guard let session = bytes.number(at: Header.session, as: UInt64.self),
      let pid = bytes.number(at: Header.processID, as: Int32.self),
      let state = bytes.number(at: Header.state, as: UInt64.self)
    else { return }
    inspection.addSession(session, pid: pid, state: state)
  }

  private static func addFrame(_ bytes: FileBytes, _ geometry: Geometry, _ inspection: inout Inspection) {
    guard let latest = bytes.number(at: Header.latest, as: UInt64.self) else { return }
    let (number, slot) = RingLayout.unpack(latest)
    inspection.add(.frameNumber, Int(clamping: number))
    guard number > 0 else {
      inspection.note = "No frame was published in this file yet."
      inspection.whyNoPicture = "no frame was published yet"
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
    guard let frame = bytes.number(at: start + Slot.frameNumber, as: UInt64.self),
      let captured = bytes.number(at: start + Slot.captureTime, as: UInt64.self),
      let published = bytes.number(at: start + Slot.publishTime, as: UInt64.self),
      let orientation = bytes.number(at: start + Slot.orientation, as: UInt32.self),
      let size = bytes.number(at: start + Slot.payloadSize, as: UInt64.self)
    else { return }
    inspection.expect(frame == number, "slot \(slot) holds frame \(frame), and the newest is \(number)")
    inspection.add(.captureTimeNs, Int(clamping: captured))
    inspection.add(.publishTimeNs, Int(clamping: published))
    inspection.addOrientation(Int(orientation))
    let room = geometry.stride - Slot.payload
    guard inspection.expect(size <= UInt64(room), "the frame has \(size) bytes, and its slot has \(room)"),
      let payload = bytes.slice(start + Slot.payload, Int(size))
    else { return }
    addPicture(payload, &inspection)
  }

  private static func addPicture(_ payload: ArraySlice<UInt8>, _ inspection: inout Inspection) {
    let payload = Array(payload)
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

  /// The slot of the newest frame and its counter; `nil` when there is no frame, or no such slot.
  private static func counter(_ bytes: FileBytes) -> (slot: Int, value: UInt64)? {
    guard let latest = bytes.number(at: Header.latest, as: UInt64.self), latest >> 8 > 0 else { return nil }
    let slot = RingLayout.unpack(latest).slot
    guard RingLayout.slotCounts.upperBound > slot,
      let value = bytes.number(at: Header.sequences + slot * Header.sequenceStride, as: UInt64.self)
    else { return nil }
    return (slot, value)
  }
}
