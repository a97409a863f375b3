// Needs both programs, so that one call of the build makes them: 'swift build --target Demo'.
