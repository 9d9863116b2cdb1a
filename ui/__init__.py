"""The page: what the assistant does, shown in a browser. Gradio stays inside this package."""
