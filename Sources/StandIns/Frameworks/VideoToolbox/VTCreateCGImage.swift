import CoreImage

@discardableResult
public func VTCreateCGImageFromCVPixelBuffer(
  _ pixelBuffer: CVPixelBuffer, options: CFDictionary?, imageOut: UnsafeMutablePointer<CGImage?>
) -> OSStatus {
  let image = CIImage(cvPixelBuffer: pixelBuffer)
  // UNSAFE: the caller's out parameter, valid for the call.
  unsafe imageOut.pointee = CIContext().createCGImage(image, from: image.extent)
  return unsafe imageOut.pointee == nil ? kVTParameterErr : 0
}
