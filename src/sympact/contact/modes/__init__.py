"""The modes of contacts: open, closed, stick, slip, at events and between them."""
