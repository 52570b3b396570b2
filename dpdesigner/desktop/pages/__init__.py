"""The pages of the window, one per study."""
