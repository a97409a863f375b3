// Depends on both programs, so that one build command builds them: 'swift build --target Demo'.
