// Empty. Swift Testing expects a module of this name beside every module named CoreGraphics: its overlay on Apple's platforms.
