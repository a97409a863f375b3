// Empty. For every module named CoreGraphics, Swift Testing expects a module of this name: its overlay on Apple's platforms.
