import Foundation

public func CMFormatDescriptionEqual(
  _ formatDescription: CMFormatDescription?, otherFormatDescription: CMFormatDescription?
) -> Bool {
  guard let first = formatDescription, let second = otherFormatDescription else {
    return formatDescription == nil && otherFormatDescription == nil
  }
  return first === second
    || first.mediaCode == second.mediaCode && first.subTypeCode == second.subTypeCode
      && first.dimensions == second.dimensions && first.extensions == second.extensions
      && first.audioStreamBasicDescription == second.audioStreamBasicDescription
      && first.parameterSets.map(\.bytes) == second.parameterSets.map(\.bytes)
}

extension CMBlockBuffer {
  fileprivate var bytes: [UInt8] { withBytes { span in span.indices.map { span[$0] } } }
}
