import Synchronization

// Models the attachments in CoreVideo/CVBuffer.h.

public enum CVAttachmentMode: UInt32, Sendable {
  case shouldNotPropagate = 0
  case shouldPropagate = 1
}

/// The value is of any type, because strings are Swift strings here.
public func CVBufferSetAttachment(
  _ buffer: CVBuffer, _ key: CFString, _ value: Any, _ attachmentMode: CVAttachmentMode
) {
  buffer.attachments.set([key: value], attachmentMode)
}

public func CVBufferSetAttachments(
  _ buffer: CVBuffer, _ theAttachments: CFDictionary, _ attachmentMode: CVAttachmentMode
) {
  buffer.attachments.set(theAttachments, attachmentMode)
}

public func CVBufferCopyAttachment(
  _ buffer: CVBuffer, _ key: CFString, _ attachmentMode: UnsafeMutablePointer<CVAttachmentMode>?
) -> Any? {
  guard let attachment = buffer.attachments.value(key) else { return nil }
  // UNSAFE: the caller's out parameter, valid for the call.
  unsafe attachmentMode?.pointee = attachment.mode
  return attachment.value
}

public func CVBufferGetAttachment(
  _ buffer: CVBuffer, _ key: CFString, _ attachmentMode: UnsafeMutablePointer<CVAttachmentMode>?
) -> CFUnmanagedValue<Any>? {
  // UNSAFE: the caller's out parameter, valid for the call.
  unsafe CVBufferCopyAttachment(buffer, key, attachmentMode).map(CFUnmanagedValue.init)
}

public func CVBufferCopyAttachments(
  _ buffer: CVBuffer, _ attachmentMode: CVAttachmentMode
) -> CFDictionary? {
  buffer.attachments.all(attachmentMode)
}

public func CVBufferGetAttachments(_ buffer: CVBuffer, _ attachmentMode: CVAttachmentMode) -> CFDictionary? {
  buffer.attachments.all(attachmentMode)
}

public func CVBufferHasAttachment(_ buffer: CVBuffer, _ key: CFString) -> Bool {
  buffer.attachments.value(key) != nil
}

public func CVBufferRemoveAttachment(_ buffer: CVBuffer, _ key: CFString) { buffer.attachments.remove(key) }
public func CVBufferRemoveAllAttachments(_ buffer: CVBuffer) { buffer.attachments.remove(nil) }

public func CVBufferPropagateAttachments(_ sourceBuffer: CVBuffer, _ destinationBuffer: CVBuffer) {
  destinationBuffer.attachments.set(sourceBuffer.attachments.all(.shouldPropagate), .shouldPropagate)
}

/// The attachments of a buffer. May be used on any thread.
final class BufferAttachments: Sendable {
  // Unchecked `Sendable`: Core Video also leaves it to its callers that several threads may use a value.
  struct Attachment: @unchecked Sendable {
    let value: Any
    let mode: CVAttachmentMode
  }

  private let attachments = Mutex<[String: Attachment]>([:])

  func set(_ values: [String: Any], _ mode: CVAttachmentMode) {
    let added = values.mapValues { Attachment(value: $0, mode: mode) }
    attachments.withLock { $0.merge(added) { _, new in new } }
  }

  func value(_ key: String) -> Attachment? { attachments.withLock { $0[key] } }

  func all(_ mode: CVAttachmentMode) -> [String: Any] {
    attachments.withLock(\.self).filter { $0.value.mode == mode }.mapValues(\.value)
  }

  /// Removes the attachment `key`, or all if it is `nil`.
  func remove(_ key: String?) {
    attachments.withLock { if let key { $0[key] = nil } else { $0.removeAll() } }
  }
}
