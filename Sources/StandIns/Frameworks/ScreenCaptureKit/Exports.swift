// ScreenCaptureKit as iOS 27 has it. The declarations are in the target ScreenCapture, which the emulated phone links too:
// so `canImport(ScreenCaptureKit)` is true for those alone who depend on this product.

@_exported import ScreenCapture
