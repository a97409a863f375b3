import Foundation
import Synchronization

// Models CoreMedia/CMAttachment.h.

/// Whether an attachment is copied to a buffer made from this one.
public typealias CMAttachmentMode = UInt32

/// The attachment is of this buffer alone.
public let kCMAttachmentMode_ShouldNotPropagate: CMAttachmentMode = 0
/// The attachment is copied to derived buffers.
public let kCMAttachmentMode_ShouldPropagate: CMAttachmentMode = 1

/// An object that can have attachments: any object in Core Media, a sample buffer here.
public typealias CMAttachmentBearer = CMSampleBuffer

/// Sets the attachment under `key`; `nil` removes it.
///
/// The value is a number, where Core Media takes any object: see ``CMGetAttachment(_:key:attachmentModeOut:)``.
public func CMSetAttachment(
  _ target: CMAttachmentBearer, key: CFString, value: NSNumber?, attachmentMode: CMAttachmentMode
) {
  let attachment = value.map { CMSampleBuffer.Attachment(value: $0, mode: attachmentMode) }
  target.attachments.withLock { $0[key] = attachment }
}

/// Returns the attachment under `key` and its mode, or `nil` without one.
///
/// Core Media returns any object. A handler on iOS reads the orientation as `(value as? NSNumber)?.uint32Value` or,
/// through Objective-C's dynamic lookup, as `value?.uint32Value`. Linux has no such lookup: with `NSNumber?` both
/// spellings compile, the cast with a warning that it always succeeds.
public func CMGetAttachment(
  _ target: CMAttachmentBearer, key: CFString, attachmentModeOut: UnsafeMutablePointer<CMAttachmentMode>?
) -> NSNumber? {
  guard let attachment = target.attachments.withLock({ $0[key] }) else { return nil }
  // UNSAFE: the caller's out parameter, valid for the call.
  unsafe attachmentModeOut?.pointee = attachment.mode
  return attachment.value
}

/// Removes the attachment under `key`.
public func CMRemoveAttachment(_ target: CMAttachmentBearer, key: CFString) {
  target.attachments.withLock { $0[key] = nil }
}
