// ScreenCaptureKit of iOS 27. The declarations are in the target ScreenCapture, because the emulated phone links them
// too: so `canImport(ScreenCaptureKit)` is true only for packages that depend on this product.

@_exported import ScreenCapture
