// Empty. For every module named CoreImage, Swift Testing expects a module of this name: its overlay on Apple's platforms.
