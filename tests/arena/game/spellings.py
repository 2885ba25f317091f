"""Thirty-five ways to spell one sentence, so that a program takes it for a new one: 25 usual ones, and ten
that nobody thought of when the rules were made."""

from __future__ import annotations

import re
import unicodedata

import numpy as np

VOWELS = "aeiou"
CYRILLIC = str.maketrans("aeopcxyiABEKMHOPCTX", "аеорсхуіАВЕКМНОРСТХ")
FLIPPED = str.maketrans("abcdefghijklmnopqrstuvwyz", "ɐqɔpǝɟƃɥᴉɾʞlɯuodbɹsʇnʌʍʎz")
SMALL_CAPITALS = str.maketrans("abcdefghijklmnoprtuvwyz", "ᴀʙᴄᴅᴇғɢʜɪᴊᴋʟᴍɴᴏᴘʀᴛᴜᴠᴡʏᴢ")
LEET = str.maketrans("oieastb", "0134578")
EVERYDAY = (
    "I went to the shop this morning.",
    "The weather was fine.",
    "We had soup for lunch.",
    "My train was late again.",
    "Later I called my sister.",
    "Now it is time for bed.",
)
QUOTATION = (
    'My neighbour told me yesterday: "{}" - and I must say that I did not know what to answer him.'
)


def _scrambled(text, rng):
    """Leave the first and the last letter of each word."""

    def inside(word):
        inner = list(word[1])
        rng.shuffle(inner)
        return "".join(inner)

    return re.sub(r"(?<=\b\w)(\w{2,})(?=\w\b)", inside, text)


def _by_word(change):
    return lambda text, rng: " ".join(change(word, rng) for word in text.split())


def _every(n, change):
    """Change every n-th letter."""

    def spell(text, rng):
        out, seen = [], 0
        for sign in text:
            seen += sign.isalpha()
            out.append(change(sign, rng) if sign.isalpha() and seen % n == 0 else sign)
        return "".join(out)

    return spell


def _other_vowel(sign, rng):
    if sign.lower() not in VOWELS:
        return sign
    return str(rng.choice([one for one in VOWELS if one != sign.lower()]))


def _bold(sign):
    if "a" <= sign <= "z":
        return chr(0x1D41A + ord(sign) - ord("a"))
    if "A" <= sign <= "Z":
        return chr(0x1D400 + ord(sign) - ord("A"))
    return sign


def _circled(sign):
    if "a" <= sign.lower() <= "z":
        return chr(0x24D0 + ord(sign.lower()) - ord("a"))
    return sign


def _full_width(sign):
    return chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign


def _sixth(sign, rng):
    return str(rng.choice(list("bcdfghjkmnpqrstvwxz")))


def _pig(word, rng):
    first = next((i for i, sign in enumerate(word) if sign.lower() in VOWELS), len(word))
    return word[first:] + word[:first] + "ay"


def _shuffled(text, rng):
    return " ".join(rng.permutation(text.split()))


def _filler(text, rng):
    return " ".join(f"{word} {rng.choice(['um', 'like', 'eh', 'you'])}" for word in text.split())


def _no_vowels(text, rng):
    return "".join(sign for sign in text if sign.lower() not in VOWELS)


def _in_words(insert, n):
    """Put something after every n letters of a word."""

    def change(word, rng):
        parts = [word[i : i + n] for i in range(0, len(word), n)]
        return insert.join(parts)

    return _by_word(change)


SPELLINGS = {
    "one sign more": lambda text, _: text + "!",
    "Cyrillic letters": lambda text, _: text.translate(CYRILLIC),
    "zero-width": lambda text, _: "\u200b".join(text),
    "soft hyphens": lambda text, _: "\u00ad".join(text),
    "a dot under letters": lambda text, _: "".join(
        sign + "\u0323" if sign.isalpha() else sign for sign in text
    ),
    "spaced out": lambda text, _: " ".join(text),
    "full width": lambda text, _: "".join(map(_full_width, text)),
    "mathematical bold": lambda text, _: "".join(map(_bold, text)),
    "small capitals": lambda text, _: text.lower().translate(SMALL_CAPITALS),
    "circled": lambda text, _: "".join(map(_circled, text)),
    "leet": lambda text, _: text.lower().translate(LEET),
    "3 for e, 0 for o, 4 for a": lambda text, _: text.translate(str.maketrans("eoa", "304")),
    "every letter twice": _every(1, lambda sign, _: sign * 2),
    "every third letter twice": _every(3, lambda sign, _: sign * 2),
    "x after 3 letters": _in_words("x", 3),
    "a digit after 3 letters": _in_words("7", 3),
    "so between words": lambda text, _: " so ".join(text.split()),
    "upside down": lambda text, _: text.lower().translate(FLIPPED)[::-1],
    "no vowels": _no_vowels,
    "other vowels": lambda text, rng: "".join(_other_vowel(sign, rng) for sign in text),
    "scrambled insides": _scrambled,
    "words backwards": _by_word(lambda word, _: word[::-1]),
    "six everyday sentences": lambda text, _: " ".join([*EVERYDAY[:3], text, *EVERYDAY[3:]]),
    "in a quotation": lambda text, _: QUOTATION.format(text),
    "a filler after words": _filler,
}
"""What the rules were made for."""

NEW_SPELLINGS = {
    "pig Latin": _by_word(_pig),
    "each sixth letter wrong": _every(6, _sixth),
    "words in any order": _shuffled,
    "no vowels, spaced out": lambda text, rng: " ".join(_no_vowels(text, rng).replace(" ", "")),
    "Cyrillic and words backwards": lambda text, _: " ".join(
        word[::-1] for word in text.split()
    ).translate(CYRILLIC),
    "first two letters swapped": _by_word(
        lambda word, _: word[1] + word[0] + word[2:] if len(word) > 1 else word
    ),
    "each word once more": _by_word(lambda word, _: f"{word} {word}"),
    "third letter left out": _every(3, lambda _, __: ""),
    "all text backwards": lambda text, _: text[::-1],
    "leet and doubled and marks": lambda text, _: "".join(
        sign + unicodedata.lookup("COMBINING DOT BELOW") if sign.isalpha() else sign * 2
        for sign in text.lower().translate(LEET)
    ),
}
"""What nobody thought of when they were made."""


def spell(text: str, name: str, seed: int = 0) -> str:
    """Spell a text in one of the ways."""
    trick = (SPELLINGS | NEW_SPELLINGS)[name]
    return trick(text, np.random.default_rng(seed))
