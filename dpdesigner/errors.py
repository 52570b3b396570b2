"""The exceptions that dpdesigner raises on purpose, and the log of those that it ignores.

Every message is one sentence that says what is wrong, what is allowed and what was given; it is shown to users as it is.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

_REASONS = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EROFS: "the disk is read-only",
    errno.EACCES: "you have no permission to write to the folder or the file",
    errno.EPERM: "you have no permission to write to the folder or the file",
    errno.EFBIG: "files this large are not allowed here",
    errno.ENAMETOOLONG: "the name is too long",
    errno.EISDIR: "it is a folder",
    errno.ELOOP: "its links lead in a circle",
    errno.EINVAL: "this name is not allowed here",
}


def with_article(word: str) -> str:
    """Return a word with a or an before it.

    >>> with_article("count"), with_article("exhibit")
    ('a count', 'an exhibit')
    """
    return f"an {word}" if word[:1] in "aeiou" else f"a {word}"


class DpDesignerError(Exception):
    """The base class of dpdesigner's exceptions."""


class InputError(DpDesignerError, ValueError):
    """Invalid input from the user.

    Parameters
    ----------
    message : str
        One sentence: what, what is allowed, what was given.
    field : str
        The input it belongs to (``"prior"``, ``"loss"``, ``"epsilon"``, ``"n"``, ...), so that a window can show the sentence
        beside the control. Empty if it belongs to none.
    suggestion : str
        What could have been given instead, as a user would type it, such as the nearest number that is allowed; empty where that
        is not clear.
    """

    others: tuple[InputError, ...] = ()  #: what else is refused at the same time, at other inputs

    def __init__(self, message: str, field: str = "", suggestion: str = "") -> None:
        super().__init__(message)
        self.field = field
        self.suggestion = suggestion


class ProofError(DpDesignerError):
    """A failed check of privacy, of row sums or of optimality; the checked result is withheld."""


class Cancelled(DpDesignerError):
    """The cancellation of a running computation by the user."""


def reason(error: Exception) -> str:
    """Return the reason for the system's refusal, in words without a full stop."""
    if not isinstance(error, OSError):
        return "this name is not allowed here"
    return _REASONS.get(error.errno or 0) or (error.strerror or str(error)).lower().rstrip(".")


def passed_over(what: str, error: BaseException) -> None:
    """Log an ignored error, with its traceback and the operation that failed.

    The log is Python's, named ``dpdesigner``; ``DPDESIGNER_LOG=info`` shows it on standard error.
    """
    import logging  # late: commands start without it

    logging.getLogger("dpdesigner").info("%s: %s", what, str(error) or type(error).__name__, exc_info=error)


@contextmanager
def passing_over(what: str, *kinds: type[Exception]) -> Iterator[None]:
    """Ignore these exceptions in the block, and log the operation that failed."""
    try:
        yield
    except kinds as error:
        passed_over(what, error)
