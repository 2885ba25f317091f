"""What a text says, however it is spelled: signs become plain letters.

A sign that looks like a letter becomes it, by its name in Unicode or by Unicode's table of what is
confused with what (technical standard 39). Marks are dropped after Latin, Greek and Cyrillic letters
only: in other scripts they are letters.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections import Counter

from askpoint.errors import InputError

__all__ = ["fold_words"]

_FEWEST = 24  # letters that must be left for addresses and hashtags to be left out

_FEWEST_WORDS, _MOST = 5, 0.7  # with one ending, and of all: no sentence is like that

_ADDRESS = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
_HASHTAG = re.compile(r"(?:(?<=\s)|^)#\w+")
_NAMED = re.compile(r"(?:LATIN|REGIONAL INDICATOR).* ([A-Z])(?: WITH .+)?")
_TURNED = re.compile(r"LATIN .*TURNED [A-Z]\b")
_SCRIPTS = ("LATIN ", "GREEK ", "CYRILLIC ")

_DIGITS = str.maketrans("013457896@$!|", "oieastbggasii")
_UPSIDE_DOWN = str.maketrans("bqdpnu", "qbpdun")
_ENDS = "!|.,;:?…"  # of a word: no letters there


def _name(sign: str) -> str:
    return unicodedata.name(sign, "")


@functools.cache
def _look_alikes() -> dict[str, str]:
    """Return the letters and digits of ASCII that other signs are confused with."""
    try:
        from confusable_homoglyphs.confusables import confusables_data  # 10,000 lines
    except ModuleNotFoundError:
        raise InputError(
            'comparing finds is an extra part: pip install "askpoint[arena]"'
        ) from None
    found = {}
    for sign, alike in confusables_data.items():
        if not sign.isascii():
            other = next((it["c"] for it in alike if it["c"].isascii()), "")
            if other.isalnum():
                found[sign] = other.casefold()
    return found


@functools.lru_cache(maxsize=1 << 14)
def _letter(sign: str) -> str:
    """Return what a sign is read as; the same for a letter and its capital."""
    if sign.isascii():
        return sign.lower()
    named = _NAMED.fullmatch(_name(sign))
    if named:
        return named[1].lower()
    small, known = sign.casefold(), _look_alikes()
    return known.get(sign if len(small) > 1 else small) or known.get(small.upper()) or small


@functools.lru_cache(maxsize=1 << 14)
def _has_marks_dropped(sign: str) -> bool:
    return sign.isascii() or _name(sign).startswith(_SCRIPTS)


def _drop_marks(text: str) -> str:
    kept, base = [], True
    for sign in text:
        if unicodedata.category(sign) in ("Mn", "Me"):
            if base:
                continue
        else:
            base = _has_marks_dropped(sign)
        kept.append(sign)
    return "".join(kept)


def _plain(text: str) -> str:
    if text.isascii():
        return text.lower()
    shown = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
    turned = {sign for sign in shown if _TURNED.match(_name(sign))}
    normal = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", shown))
    letters = "".join(map(_letter, _drop_marks(normal)))
    return letters.translate(_UPSIDE_DOWN) if len(turned) > 1 else letters


def _word(word: str) -> str:
    if word.isalpha():
        return word
    if any(map(str.isalpha, word)):
        word = word.strip(_ENDS).translate(_DIGITS)
    return "".join(sign for sign in word if sign.isalnum() or unicodedata.category(sign)[0] == "M")


def _words(text: str) -> list[str]:
    return _drop_ending([word for word in map(_word, _plain(text).split()) if word])


def _drop_ending(words: list[str]) -> list[str]:
    """Leave out two letters that most words end with, as in pig Latin."""
    ending, count = Counter(word[-2:] for word in words).most_common(1)[0] if words else ("", 0)
    if count < _FEWEST_WORDS or count < _MOST * len(words):
        return words
    return [word.removesuffix(ending) or word for word in words]


def fold_words(text: str) -> list[str]:
    """Return the words of a text in plain small letters and digits.

    Addresses are left out, and hashtags where they are less than half of the letters: strangers share
    them. Where next to nothing would be left, all is kept.
    """
    words = _words(text)
    n_letters = sum(map(len, words))
    for pattern, share in ((_ADDRESS, 0.0), (_HASHTAG, 0.5)):
        shorter = pattern.sub(" ", text)
        if shorter != text:
            rest = _words(shorter)
            n_rest = sum(map(len, rest))
            if n_rest >= max(_FEWEST, share * n_letters):
                text, words, n_letters = shorter, rest, n_rest
    return words
