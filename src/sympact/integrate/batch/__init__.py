"""Many runs of one program, without Python between them."""
