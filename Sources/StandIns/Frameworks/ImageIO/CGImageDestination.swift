import Foundation
import PixelAccess
import Synchronization

// Models ImageIO/CGImageDestination.h for JPEG.

public final class CGImageDestination: Sendable {
  private let state = Mutex(State())
  private let type: String
  // The caller's data; nothing else changes it until the end.
  nonisolated(unsafe) private let data: CFMutableData?
  private let url: URL?

  private struct State {
    var image: CGImage?
    var quality = 0.9
    var isFinalized = false
  }

  fileprivate init?(_ type: String, _ count: Int, data: CFMutableData? = nil, url: URL? = nil) {
    guard ["public.jpeg", "public.jpg"].contains(type), count > 0 else {
      NSLog("%@", "CGImageDestination: the emulator encodes JPEG only, not \(type)")
      return nil
    }
    self.type = type
    unsafe self.data = data
    self.url = url
  }

  fileprivate func add(_ image: CGImage, _ properties: CFDictionary?) {
    set(properties)
    // A JPEG has one image.
    state.withLock { if $0.image == nil { $0.image = image } }
  }

  fileprivate func set(_ properties: CFDictionary?) {
    guard let quality = Double(number: properties?[kCGImageDestinationLossyCompressionQuality]) else {
      return
    }
    state.withLock { $0.quality = quality }
  }

  fileprivate func finalize() -> Bool {
    let (image, quality) = state.withLock { state -> (CGImage?, Double) in
      defer { state.isFinalized = true }
      return (state.isFinalized ? nil : state.image, state.quality)
    }
    guard let pixels = image?.pixels.convertedToBiPlanar(), let bytes = JPEG.encode(pixels, quality: quality)
    else { return false }
    if let data = unsafe data { data.append(bytes) }
    guard let url else { return true }
    do { try bytes.write(to: url) } catch {
      NSLog("%@", "CGImageDestination: \(url.path) cannot be written: \(error)")
      return false
    }
    return true
  }
}

/// Returns `nil` for types other than JPEG, and logs the reason.
public func CGImageDestinationCreateWithData(
  _ data: CFMutableData, _ type: CFString, _ count: Int, _ options: CFDictionary?
) -> CGImageDestination? { CGImageDestination(type, count, data: data) }

/// Returns `nil` for types other than JPEG, and logs the reason.
public func CGImageDestinationCreateWithURL(
  _ url: CFURL, _ type: CFString, _ count: Int, _ options: CFDictionary?
) -> CGImageDestination? { CGImageDestination(type, count, url: url) }

public func CGImageDestinationAddImage(
  _ idst: CGImageDestination, _ image: CGImage, _ properties: CFDictionary?
) { idst.add(image, properties) }

public func CGImageDestinationSetProperties(_ idst: CGImageDestination, _ properties: CFDictionary?) {
  idst.set(properties)
}

/// Also returns `false` if there is no libjpeg.
public func CGImageDestinationFinalize(_ idst: CGImageDestination) -> Bool { idst.finalize() }

/// Not written here.
public let kCGImagePropertyOrientation: CFString = "Orientation"
