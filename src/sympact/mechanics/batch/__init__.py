"""Many runs of one model, without Python between them."""
