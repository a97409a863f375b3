// Models the extensions in CoreMedia/CMFormatDescription.h: properties of a format in addition to its code and size.

public let kCMFormatDescriptionExtension_YCbCrMatrix: CFString = kCVImageBufferYCbCrMatrixKey
public let kCMFormatDescriptionExtension_ColorPrimaries: CFString = kCVImageBufferColorPrimariesKey
public let kCMFormatDescriptionExtension_TransferFunction: CFString = kCVImageBufferTransferFunctionKey
public let kCMFormatDescriptionExtension_ChromaLocationTopField: CFString =
  kCVImageBufferChromaLocationTopFieldKey
public let kCMFormatDescriptionExtension_ChromaLocationBottomField: CFString =
  kCVImageBufferChromaLocationBottomFieldKey
public let kCMFormatDescriptionExtension_BytesPerRow: CFString = "CVBytesPerRow"
public let kCMFormatDescriptionExtension_Version: CFString = "Version"
public let kCMFormatDescriptionExtension_FullRangeVideo: CFString = "FullRangeVideo"

public func CMFormatDescriptionGetExtension(_ desc: CMFormatDescription, extensionKey: CFString) -> Any? {
  desc.extensions[.init(rawValue: extensionKey)]?.propertyListRepresentation
}

public func CMFormatDescriptionGetExtensions(_ desc: CMFormatDescription) -> CFDictionary? {
  desc.extensions.isEmpty ? nil : desc.extensions.values.mapValues(\.propertyListRepresentation)
}

public func CMVideoFormatDescriptionGetExtensionKeysCommonWithImageBuffers() -> CFArray { commonKeys }

private let commonKeys = [
  kCVImageBufferYCbCrMatrixKey, kCVImageBufferColorPrimariesKey, kCVImageBufferTransferFunctionKey,
  kCVImageBufferChromaLocationTopFieldKey, kCVImageBufferChromaLocationBottomFieldKey,
]

extension CMFormatDescription {
  public struct Extensions: Equatable, Sendable {
    fileprivate(set) var values: [String: Value] = [:]

    public var isEmpty: Bool { values.isEmpty }

    public subscript(_ key: Key) -> Value? { values[key.rawValue] }

    /// The extensions that are also attachments of image buffers.
    var colours: [String: Value] { values.filter { commonKeys.contains($0.key) } }

    public struct Key: RawRepresentable, Hashable, Sendable {
      public let rawValue: CFString

      public init(rawValue: CFString) { self.rawValue = rawValue }

      public static let yCbCrMatrix = Key(rawValue: kCMFormatDescriptionExtension_YCbCrMatrix)
      public static let colorPrimaries = Key(rawValue: kCMFormatDescriptionExtension_ColorPrimaries)
      public static let transferFunction = Key(rawValue: kCMFormatDescriptionExtension_TransferFunction)
      public static let chromaLocationTopField = Key(
        rawValue: kCMFormatDescriptionExtension_ChromaLocationTopField)
      public static let chromaLocationBottomField = Key(
        rawValue: kCMFormatDescriptionExtension_ChromaLocationBottomField)
      public static let bytesPerRow = Key(rawValue: kCMFormatDescriptionExtension_BytesPerRow)
      public static let version = Key(rawValue: kCMFormatDescriptionExtension_Version)
      public static let fullRangeVideo = Key(rawValue: kCMFormatDescriptionExtension_FullRangeVideo)
    }

    /// A string or a whole number here.
    public struct Value: Equatable, Sendable {
      enum Content: Equatable, Sendable {
        case text(String), number(Int)
      }

      let content: Content

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
  /// Creates the extensions for the description of an image buffer: its version, row length and colour attachments.
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
