// What each test needs beside the module under test.
@_exported import Testing
