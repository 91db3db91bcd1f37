"""What is pressed on the way from made-up data to the verdict."""

WALK = (
    "Try it with made-up data", "This is right, continue", "Count", "See the result", "Continue",
    "Which methods fit?", "Use km-anonymity", "Continue with these values", "Publish",
    "See the result", "Continue to the verdict",
)  # fmt: skip
