"""The code page of bytes that are not UTF-8: that in which their letters are those of one language."""

from __future__ import annotations

import codecs
import re

__all__ = ["guess_code_page"]

_HEAD = 1 << 16
_NEARLY = 0.95  # share of letters that a language must explain
_BETTER = 0.05  # by how much another page must explain more than Western Europe's
_TOGETHER = 0.7  # share of bytes above ASCII next to another one, from which whole words are in another script
# a page, the codec whose letters are the frequent ones of its language, and the first of its rare ones
_WIDE = (("cp949", "euc_kr", 0xC9), ("gb18030", "gb2312", 0xD8), ("big5", "big5", 0xC7))
_SCRIPTS = {
    "cp1251": "оеаинтсрвл",
    "cp1253": "αοιετσνηρς",
    "cp1255": "יוהלאתרמבש",
    "cp1256": "الينمرتوبة",
}
_LETTERS = {
    "cp1252": ("äöüßé", "àâçéèêëîïôùûüœ", "áéíóúüñ¿¡ºª", "áâãàçéêíóôõúü", "àèéìòùî", "éèëïöüá", "åäöé", "æøåéä",
               "áéíóúýþæöð", "àèéíïòóúüç·"),
    "cp1250": ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "čćđšž", "ăâîşţ"),
    "cp1254": ("çğıöşüâîûi̇",),
    "cp1257": ("āčēģīķļņšūž", "ąčęėįšųūž", "äõöüšž"),
}  # fmt: skip
# signs that are no letters, as bytes of these pages
_NEUTRAL = re.compile(
    "[\x80\x82\x84\x85\x91-\x97\x99\xa0\xa7\xa9\xab\xae\xb0\xb1\xb5\xb7\xbb]|(?<=[a-zA-Z])[²³¹](?![a-zA-Z])"
    "|(?<![a-zA-Z])[¼½¾£¥×÷](?![a-zA-Z])"
)


def guess_code_page(data: bytes) -> str:
    """Return the code page that explains the letters of a text best; that of Western Europe where none does better."""
    start = data[:_HEAD]
    for page, frequent, rare in _WIDE:
        text = _strict(start, page)
        if text is None:
            continue
        letters = {c for c in text if ord(c) > 127}  # each once: a log repeats few labels
        own = sum(128 < c.encode(frequent, "ignore")[:1].ljust(1)[0] < rare for c in letters)
        if own >= _NEARLY * len(letters):
            return page
    start = _NEUTRAL.sub("", start.decode("latin-1")).encode("latin-1")
    high = [byte for byte in start if byte > 127]
    near = sum(len(run) for run in re.findall(rb"[\x80-\xff]{2,}", start))
    if near >= _TOGETHER * len(high):
        shares = {page: _share(start, page, letters) for page, letters in _SCRIPTS.items()}
        best = max(shares, key=lambda page: shares[page])
        if shares[best] > 0.5:
            return best
    shares = {
        page: max(_share(start, page, letters) for letters in languages)
        for page, languages in _LETTERS.items()
    }
    best = max(shares, key=lambda page: shares[page])
    return best if shares[best] > shares["cp1252"] + _BETTER else "cp1252"


def _strict(data: bytes, page: str) -> str | None:
    """Return a text, whose last character may be cut off; None where it is not of this page."""
    try:
        return codecs.getincrementaldecoder(page)("strict").decode(data)
    except UnicodeDecodeError:
        return None


def _share(data: bytes, page: str, letters: str) -> float:
    """Return which part of the characters above ASCII are letters of one language."""
    own = [c for c in data.decode(page, "replace") if ord(c) > 127]
    return sum(c.lower() in letters for c in own) / max(len(own), 1)
