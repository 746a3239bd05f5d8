"""What several questions play with: matches, duels, and looks into matches."""
