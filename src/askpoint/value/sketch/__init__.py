"""The score sketch: right, wrong and unlabelled cases counted per bin of confidence."""
