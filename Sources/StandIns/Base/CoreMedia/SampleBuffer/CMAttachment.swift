import Foundation
import Synchronization

// Models CoreMedia/CMAttachment.h.

public typealias CMAttachmentMode = UInt32

public let kCMAttachmentMode_ShouldNotPropagate: CMAttachmentMode = 0
public let kCMAttachmentMode_ShouldPropagate: CMAttachmentMode = 1

/// A sample buffer only; any object in Core Media.
public typealias CMAttachmentBearer = CMSampleBuffer

/// The value is a number. Core Media accepts any object: see ``CMGetAttachment(_:key:attachmentModeOut:)``.
public func CMSetAttachment(
  _ target: CMAttachmentBearer, key: CFString, value: NSNumber?, attachmentMode: CMAttachmentMode
) {
  let attachment = value.map { CMSampleBuffer.Attachment(value: $0, mode: attachmentMode) }
  target.attachments.withLock { $0[key] = attachment }
}

/// The object of an attachment: a number. On iOS, a handler reads the orientation as
/// `(value as? NSNumber)?.uint32Value` or, by Objective-C's dynamic lookup, as `value?.uint32Value`. Linux has no dynamic
/// lookup. With this protocol both spellings compile, and without a warning. Apple has no such name.
public protocol CMAttachmentValue: AnyObject {
  var intValue: Int { get }
  var uintValue: UInt { get }
  var int32Value: Int32 { get }
  var uint32Value: UInt32 { get }
  var doubleValue: Double { get }
}

extension NSNumber: CMAttachmentValue {}

/// The value is a number, where Core Media has an object of any class.
public func CMGetAttachment(
  _ target: CMAttachmentBearer, key: CFString, attachmentModeOut: UnsafeMutablePointer<CMAttachmentMode>?
) -> (any CMAttachmentValue)? {
  guard let attachment = target.attachments.withLock({ $0[key] }) else { return nil }
  // UNSAFE: the caller's out parameter, valid for the call.
  unsafe attachmentModeOut?.pointee = attachment.mode
  return attachment.value
}

public func CMRemoveAttachment(_ target: CMAttachmentBearer, key: CFString) {
  target.attachments.withLock { $0[key] = nil }
}
