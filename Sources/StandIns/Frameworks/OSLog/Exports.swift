import COSLog
@_exported import os
