"""What is pressed on the way from made-up data to the verdict."""

WALK = (
    "Try it with made-up data", "This is right, go on", "Count", "See what came of it", "Go on",
    "Which methods fit?", "Take km-anonymity", "Go on with these values", "Publish",
    "See what came of it", "Go on to the verdict",
)  # fmt: skip
