"""Results on disk: folders, manifests, tables, and the user's own files."""
