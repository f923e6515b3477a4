"""Values as text and as HTML: tables and sheets that every room builds on."""
