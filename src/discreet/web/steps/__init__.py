"""The steps of a project, each with its routes."""
