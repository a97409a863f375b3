// Models the colour attachments of CoreVideo/CVImageBuffer.h. The values of the keys are texts.

/// The key of the matrix from R'G'B' to Y'CbCr.
public let kCVImageBufferYCbCrMatrixKey: CFString = "CVImageBufferYCbCrMatrix"
/// The matrix of ITU-R BT.709.
public let kCVImageBufferYCbCrMatrix_ITU_R_709_2: CFString = "ITU_R_709_2"
/// The matrix of ITU-R BT.601.
public let kCVImageBufferYCbCrMatrix_ITU_R_601_4: CFString = "ITU_R_601_4"
/// The matrix of SMPTE 240M.
public let kCVImageBufferYCbCrMatrix_SMPTE_240M_1995: CFString = "SMPTE_240M_1995"
/// The matrix of ITU-R BT.2020.
public let kCVImageBufferYCbCrMatrix_ITU_R_2020: CFString = "ITU_R_2020"

/// The key of the colour primaries.
public let kCVImageBufferColorPrimariesKey: CFString = "CVImageBufferColorPrimaries"
/// The primaries of ITU-R BT.709.
public let kCVImageBufferColorPrimaries_ITU_R_709_2: CFString = "ITU_R_709_2"
/// The primaries of Display P3.
public let kCVImageBufferColorPrimaries_P3_D65: CFString = "P3_D65"
/// The primaries of ITU-R BT.2020.
public let kCVImageBufferColorPrimaries_ITU_R_2020: CFString = "ITU_R_2020"

/// The key of the transfer function.
public let kCVImageBufferTransferFunctionKey: CFString = "CVImageBufferTransferFunction"
/// The transfer function of ITU-R BT.709.
public let kCVImageBufferTransferFunction_ITU_R_709_2: CFString = "ITU_R_709_2"
/// The transfer function of sRGB.
public let kCVImageBufferTransferFunction_sRGB: CFString = "IEC_sRGB"
/// The transfer function of ITU-R BT.2020.
public let kCVImageBufferTransferFunction_ITU_R_2020: CFString = "ITU_R_2020"
/// The hybrid log-gamma of ITU-R BT.2100.
public let kCVImageBufferTransferFunction_ITU_R_2100_HLG: CFString = "ITU_R_2100_HLG"
/// The perceptual quantizer of SMPTE ST 2084.
public let kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ: CFString = "SMPTE_ST_2084_PQ"

/// The key of the place of the chroma samples in a progressive frame, and in the top field of an interlaced one.
public let kCVImageBufferChromaLocationTopFieldKey: CFString = "CVImageBufferChromaLocationTopField"
/// The key of the place of the chroma samples in the bottom field of an interlaced frame.
public let kCVImageBufferChromaLocationBottomFieldKey: CFString = "CVImageBufferChromaLocationBottomField"
/// Between two rows, at the left pixel.
public let kCVImageBufferChromaLocation_Left: CFString = "Left"
/// Amid four pixels.
public let kCVImageBufferChromaLocation_Center: CFString = "Center"
/// At the left pixel of the upper row.
public let kCVImageBufferChromaLocation_TopLeft: CFString = "TopLeft"
