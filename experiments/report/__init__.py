"""What is told of a result: sentences, tables and figures; as text, as a page, in a notebook."""
