import Foundation

// Models the pairs of streams over a socket of CoreFoundation/CFStream.h. On Apple's platforms the streams are bridged to
// Foundation's; here they are classes of Foundation's.

/// A stream of bytes from a socket.
public typealias CFReadStream = SocketInputStream
/// A stream of bytes to a socket.
public typealias CFWriteStream = SocketOutputStream

/// A property of a stream.
public typealias CFStreamPropertyKey = CFString

/// The property that makes a stream close its socket when both streams are closed: a truth value, false by default.
public let kCFStreamPropertyShouldCloseNativeSocket: CFString = "kCFStreamPropertyShouldCloseNativeSocket"

/// Creates the two streams of a connected socket, which must be opened.
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

/// Sets a property of a stream; `false` for an unknown one.
@discardableResult
public func CFReadStreamSetProperty(
  _ stream: CFReadStream!, _ propertyName: CFStreamPropertyKey!, _ propertyValue: CFTypeRef!
) -> Bool {
  stream.setProperty(propertyValue, forKey: Stream.PropertyKey(propertyName))
}

/// Sets a property of a stream; `false` for an unknown one.
@discardableResult
public func CFWriteStreamSetProperty(
  _ stream: CFWriteStream!, _ propertyName: CFStreamPropertyKey!, _ propertyValue: CFTypeRef!
) -> Bool {
  stream.setProperty(propertyValue, forKey: Stream.PropertyKey(propertyName))
}

/// Makes a stream call its delegate on a queue; `nil` ends that.
public func CFReadStreamSetDispatchQueue(_ stream: CFReadStream!, _ q: DispatchQueue!) {
  stream.events.schedule(on: q)
}

/// Makes a stream call its delegate on a queue; `nil` ends that.
public func CFWriteStreamSetDispatchQueue(_ stream: CFWriteStream!, _ q: DispatchQueue!) {
  stream.events.schedule(on: q)
}
