"""Islands: the parts of a model that no joint, load or contact connects are integrated each with steps of its own."""
