"""From which n on it is worth while to keep more of a loss for its certificates, and what is kept."""

from __future__ import annotations

#: From this n on it takes less time than all scores at once, unless more than one of so many columns is near.
NEAR_FROM = 150
