"""Two designs side by side: any two, since each page only says what a design comes to."""
