import Foundation
import Synchronization

// Models CoreMedia/CMAttachment.h.

public typealias CMAttachmentMode = UInt32

public let kCMAttachmentMode_ShouldNotPropagate: CMAttachmentMode = 0
public let kCMAttachmentMode_ShouldPropagate: CMAttachmentMode = 1

/// Any object in Core Media, a sample buffer here.
public typealias CMAttachmentBearer = CMSampleBuffer

/// The value is a number, where Core Media takes any object: see
/// ``CMGetAttachment(_:key:attachmentModeOut:)``.
public func CMSetAttachment(
  _ target: CMAttachmentBearer, key: CFString, value: NSNumber?, attachmentMode: CMAttachmentMode
) {
  let attachment = value.map { CMSampleBuffer.Attachment(value: $0, mode: attachmentMode) }
  target.attachments.withLock { $0[key] = attachment }
}

/// Core Media returns any object. A handler on iOS reads the orientation as
/// `(value as? NSNumber)?.uint32Value` or, through Objective-C's dynamic lookup, as `value?.uint32Value`.
/// Linux has no such lookup: with `NSNumber?` both spellings compile, the cast with a warning that it always
/// succeeds.
public func CMGetAttachment(
  _ target: CMAttachmentBearer, key: CFString, attachmentModeOut: UnsafeMutablePointer<CMAttachmentMode>?
) -> NSNumber? {
  guard let attachment = target.attachments.withLock({ $0[key] }) else { return nil }
  // UNSAFE: the caller's out parameter, valid for the call.
  unsafe attachmentModeOut?.pointee = attachment.mode
  return attachment.value
}

public func CMRemoveAttachment(_ target: CMAttachmentBearer, key: CFString) {
  target.attachments.withLock { $0[key] = nil }
}
