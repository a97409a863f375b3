import Foundation

// Models the pairs of streams over a socket in CoreFoundation/CFStream.h. On Apple's platforms the streams are bridged
// to Foundation's; here they are Foundation's classes.

/// Only streams over a socket exist here.
public typealias CFReadStream = SocketInputStream
public typealias CFWriteStream = SocketOutputStream
public typealias CFStreamPropertyKey = CFString

public let kCFStreamPropertyShouldCloseNativeSocket: CFString = "kCFStreamPropertyShouldCloseNativeSocket"

public func CFStreamCreatePairWithSocket(
  _ alloc: CFAllocator?, _ sock: Int32, _ readStream: UnsafeMutablePointer<Unmanaged<CFReadStream>?>?,
  _ writeStream: UnsafeMutablePointer<Unmanaged<CFWriteStream>?>?
) {
  let connection = SocketConnection(sock)
  // UNSAFE: the caller's out parameters, valid for the call.
  if let readStream = unsafe readStream {
    unsafe readStream.pointee = unsafe .passRetained(SocketInputStream(connection))
  }
  if let writeStream = unsafe writeStream {
    unsafe writeStream.pointee = unsafe .passRetained(SocketOutputStream(connection))
  }
}

@discardableResult
public func CFReadStreamSetProperty(
  _ stream: CFReadStream!, _ propertyName: CFStreamPropertyKey!, _ propertyValue: CFTypeRef!
) -> Bool {
  stream.setProperty(propertyValue, forKey: Stream.PropertyKey(propertyName))
}

@discardableResult
public func CFWriteStreamSetProperty(
  _ stream: CFWriteStream!, _ propertyName: CFStreamPropertyKey!, _ propertyValue: CFTypeRef!
) -> Bool {
  stream.setProperty(propertyValue, forKey: Stream.PropertyKey(propertyName))
}

public func CFReadStreamSetDispatchQueue(_ stream: CFReadStream!, _ q: DispatchQueue!) {
  stream.events.schedule(on: q)
}

public func CFWriteStreamSetDispatchQueue(_ stream: CFWriteStream!, _ q: DispatchQueue!) {
  stream.events.schedule(on: q)
}
