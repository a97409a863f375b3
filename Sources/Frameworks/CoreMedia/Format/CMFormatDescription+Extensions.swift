// Models the extensions of CoreMedia/CMFormatDescription.h: what describes a format beyond its code and its size.

/// The matrix from R'G'B' to Y'CbCr, a text.
public let kCMFormatDescriptionExtension_YCbCrMatrix: CFString = kCVImageBufferYCbCrMatrixKey
/// The colour primaries, a text.
public let kCMFormatDescriptionExtension_ColorPrimaries: CFString = kCVImageBufferColorPrimariesKey
/// The transfer function, a text.
public let kCMFormatDescriptionExtension_TransferFunction: CFString = kCVImageBufferTransferFunctionKey
/// The place of the chroma samples, a text.
public let kCMFormatDescriptionExtension_ChromaLocationTopField: CFString =
  kCVImageBufferChromaLocationTopFieldKey
/// The place of the chroma samples in the bottom field, a text.
public let kCMFormatDescriptionExtension_ChromaLocationBottomField: CFString =
  kCVImageBufferChromaLocationBottomFieldKey
/// The bytes from one row to the next: `CVPixelBufferGetBytesPerRow` of the image buffer.
public let kCMFormatDescriptionExtension_BytesPerRow: CFString = "CVBytesPerRow"
/// The version of the description, 2.
public let kCMFormatDescriptionExtension_Version: CFString = "Version"
/// Whether luma has all values of a byte. Descriptions of image buffers do not have it: their format says so.
public let kCMFormatDescriptionExtension_FullRangeVideo: CFString = "FullRangeVideo"

/// Returns the extension under `extensionKey`, or `nil` without one. A property list, of any type.
public func CMFormatDescriptionGetExtension(_ desc: CMFormatDescription, extensionKey: CFString) -> Any? {
  desc.extensions[.init(rawValue: extensionKey)]?.propertyListRepresentation
}

/// Returns all extensions, or `nil` without any.
public func CMFormatDescriptionGetExtensions(_ desc: CMFormatDescription) -> CFDictionary? {
  desc.extensions.isEmpty ? nil : desc.extensions.values.mapValues(\.propertyListRepresentation)
}

/// Returns the keys of extensions that are attachments of image buffers too.
public func CMVideoFormatDescriptionGetExtensionKeysCommonWithImageBuffers() -> CFArray { commonKeys }

private let commonKeys = [
  kCVImageBufferYCbCrMatrixKey, kCVImageBufferColorPrimariesKey, kCVImageBufferTransferFunctionKey,
  kCVImageBufferChromaLocationTopFieldKey, kCVImageBufferChromaLocationBottomFieldKey,
]

extension CMFormatDescription {
  /// The extensions of a description, as Core Media's Swift overlay has them.
  public struct Extensions: Equatable, Sendable {
    fileprivate(set) var values: [String: Value] = [:]

    /// Whether there are none.
    public var isEmpty: Bool { values.isEmpty }

    /// The extension under `key`, or `nil` without one.
    public subscript(_ key: Key) -> Value? { values[key.rawValue] }

    /// The extensions that are attachments of image buffers too.
    var colours: [String: Value] { values.filter { commonKeys.contains($0.key) } }

    /// The key of an extension.
    public struct Key: RawRepresentable, Hashable, Sendable {
      /// Core Media's text.
      public let rawValue: CFString

      /// Creates a key from Core Media's text.
      public init(rawValue: CFString) { self.rawValue = rawValue }

      /// The matrix from R'G'B' to Y'CbCr.
      public static let yCbCrMatrix = Key(rawValue: kCMFormatDescriptionExtension_YCbCrMatrix)
      /// The colour primaries.
      public static let colorPrimaries = Key(rawValue: kCMFormatDescriptionExtension_ColorPrimaries)
      /// The transfer function.
      public static let transferFunction = Key(rawValue: kCMFormatDescriptionExtension_TransferFunction)
      /// The place of the chroma samples.
      public static let chromaLocationTopField = Key(
        rawValue: kCMFormatDescriptionExtension_ChromaLocationTopField)
      /// The place of the chroma samples in the bottom field.
      public static let chromaLocationBottomField = Key(
        rawValue: kCMFormatDescriptionExtension_ChromaLocationBottomField)
      /// The bytes from one row to the next.
      public static let bytesPerRow = Key(rawValue: kCMFormatDescriptionExtension_BytesPerRow)
      /// The version of the description.
      public static let version = Key(rawValue: kCMFormatDescriptionExtension_Version)
      /// Whether luma has all values of a byte.
      public static let fullRangeVideo = Key(rawValue: kCMFormatDescriptionExtension_FullRangeVideo)
    }

    /// The value of an extension: a text or a whole number here.
    public struct Value: Equatable, Sendable {
      enum Content: Equatable, Sendable {
        case text(String)
        case number(Int)
      }

      let content: Content

      /// The value as a property list.
      public var propertyListRepresentation: Any {
        switch content {
        case .text(let text): text
        case .number(let number): number as NSNumber
        }
      }
    }
  }
}

extension CMFormatDescription.Extensions {
  /// The extensions of the description of an image buffer: its version, its row length and its colour attachments.
  init(_ imageBuffer: CVImageBuffer) {
    for key in commonKeys {
      guard let text = CVBufferCopyAttachment(imageBuffer, key, nil) as? String else { continue }
      values[key] = Value(content: .text(text))
    }
    values[kCMFormatDescriptionExtension_BytesPerRow] = Value(
      content: .number(CVPixelBufferGetBytesPerRow(imageBuffer)))
    values[kCMFormatDescriptionExtension_Version] = Value(content: .number(2))
  }
}
