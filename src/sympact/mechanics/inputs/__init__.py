"""What the inputs of a run are: numbers, expressions, data, functions, sampled laws."""
