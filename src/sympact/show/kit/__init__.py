"""Names, colours and formulas as all pictures write them."""
