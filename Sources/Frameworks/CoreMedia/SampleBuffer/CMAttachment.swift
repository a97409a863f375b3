import Foundation
import Synchronization

/// Whether an attachment goes along when a buffer is turned into another one.
public typealias CMAttachmentMode = UInt32

/// The attachment belongs to this one buffer.
public let kCMAttachmentMode_ShouldNotPropagate: CMAttachmentMode = 0
/// The attachment goes along to what is made of the buffer.
public let kCMAttachmentMode_ShouldPropagate: CMAttachmentMode = 1

/// What may bear attachments: any object in Core Media, sample buffers here.
public typealias CMAttachmentBearer = CMSampleBuffer

/// Attaches `value` under `key`, in place of the one before; `nil` takes that away.
///
/// The value is a number, where Core Media takes any object: see
/// ``CMGetAttachment(_:key:attachmentModeOut:)``.
public func CMSetAttachment(
  _ target: CMAttachmentBearer, key: CFString, value: NSNumber?, attachmentMode: CMAttachmentMode
) {
  let attachment = value.map { CMSampleBuffer.Attachment(value: $0, mode: attachmentMode) }
  target.attachments.withLock { $0[key] = attachment }
}

/// The value attached under `key`, and through `attachmentModeOut` its mode; `nil` when there is none.
///
/// Core Media returns any object, and a handler on iOS reads the orientation either as
/// `(value as? NSNumber)?.uint32Value` or, through Objective-C's dynamic lookup, as `value?.uint32Value`.
/// There is no such lookup on Linux, so the result is an `NSNumber?`: with it both spellings compile, the
/// cast with a warning that it does nothing.
public func CMGetAttachment(
  _ target: CMAttachmentBearer, key: CFString, attachmentModeOut: UnsafeMutablePointer<CMAttachmentMode>?
) -> NSNumber? {
  guard let attachment = target.attachments.withLock({ $0[key] }) else { return nil }
  // UNSAFE: the caller's out parameter, valid for the call.
  unsafe attachmentModeOut?.pointee = attachment.mode
  return attachment.value
}

/// Takes the attachment under `key` away.
public func CMRemoveAttachment(_ target: CMAttachmentBearer, key: CFString) {
  target.attachments.withLock { $0[key] = nil }
}
