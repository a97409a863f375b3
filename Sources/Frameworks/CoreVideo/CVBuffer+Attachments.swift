import Synchronization

// Models the attachments of CoreVideo/CVBuffer.h.

/// Whether an attachment is copied to a buffer made from this one.
public enum CVAttachmentMode: UInt32, Sendable {
  /// The attachment is of this buffer alone.
  case shouldNotPropagate = 0
  /// The attachment is copied by ``CVBufferPropagateAttachments(_:_:)``.
  case shouldPropagate = 1
}

/// Sets the attachment under `key`.
///
/// The value is any object of Core Foundation. Texts are Swift texts here, so it is of any type.
public func CVBufferSetAttachment(
  _ buffer: CVBuffer, _ key: CFString, _ value: Any, _ attachmentMode: CVAttachmentMode
) {
  buffer.attachments.set([key: value], attachmentMode)
}

/// Sets all attachments of a dictionary, with one mode.
public func CVBufferSetAttachments(
  _ buffer: CVBuffer, _ theAttachments: CFDictionary, _ attachmentMode: CVAttachmentMode
) {
  buffer.attachments.set(theAttachments, attachmentMode)
}

/// Returns the attachment under `key` and its mode, or `nil` without one.
public func CVBufferCopyAttachment(
  _ buffer: CVBuffer, _ key: CFString, _ attachmentMode: UnsafeMutablePointer<CVAttachmentMode>?
) -> Any? {
  guard let attachment = buffer.attachments.value(key) else { return nil }
  // UNSAFE: the caller's out parameter, valid for the call.
  unsafe attachmentMode?.pointee = attachment.mode
  return attachment.value
}

/// Returns the attachment under `key` and its mode, or `nil` without one. iOS 15 replaced it by
/// ``CVBufferCopyAttachment(_:_:_:)``.
public func CVBufferGetAttachment(
  _ buffer: CVBuffer, _ key: CFString, _ attachmentMode: UnsafeMutablePointer<CVAttachmentMode>?
) -> CFUnmanagedValue<Any>? {
  // UNSAFE: the caller's out parameter, valid for the call.
  unsafe CVBufferCopyAttachment(buffer, key, attachmentMode).map(CFUnmanagedValue.init)
}

/// Returns all attachments of a mode; an empty dictionary without any.
public func CVBufferCopyAttachments(
  _ buffer: CVBuffer, _ attachmentMode: CVAttachmentMode
) -> CFDictionary? {
  buffer.attachments.all(attachmentMode)
}

/// Returns all attachments of a mode; an empty dictionary without any. iOS 15 replaced it by
/// ``CVBufferCopyAttachments(_:_:)``.
public func CVBufferGetAttachments(_ buffer: CVBuffer, _ attachmentMode: CVAttachmentMode) -> CFDictionary? {
  buffer.attachments.all(attachmentMode)
}

/// Returns whether there is an attachment under `key`.
public func CVBufferHasAttachment(_ buffer: CVBuffer, _ key: CFString) -> Bool {
  buffer.attachments.value(key) != nil
}

/// Removes the attachment under `key`.
public func CVBufferRemoveAttachment(_ buffer: CVBuffer, _ key: CFString) { buffer.attachments.remove(key) }

/// Removes all attachments.
public func CVBufferRemoveAllAttachments(_ buffer: CVBuffer) { buffer.attachments.remove(nil) }

/// Copies the attachments that propagate from a buffer to another one.
public func CVBufferPropagateAttachments(_ sourceBuffer: CVBuffer, _ destinationBuffer: CVBuffer) {
  destinationBuffer.attachments.set(sourceBuffer.attachments.all(.shouldPropagate), .shouldPropagate)
}

/// The attachments of a buffer. Usable from any thread.
final class BufferAttachments: Sendable {
  // Unchecked `Sendable`: Core Video too leaves it to its callers that several threads may use a value.
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

  /// Removes an attachment, or all of them.
  func remove(_ key: String?) {
    attachments.withLock { if let key { $0[key] = nil } else { $0.removeAll() } }
  }
}
