// The modules that each test file needs in addition to the module under test.
@_exported import Testing
