// The modules that most test files need in addition to the module under test.
@_exported import CommandLineSupport
@_exported import Foundation
@_exported import LaunchedPrograms
@_exported import Platform
@_exported import Synchronization
@_exported import Testing
