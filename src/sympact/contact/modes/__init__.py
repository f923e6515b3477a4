"""Which contacts open, close, stick or slip, at events and between them."""
