"""Images that repeat one another, by their prints: scaled, saved anew, cropped, mirrored."""

from __future__ import annotations

import functools
import io
from itertools import combinations

import numpy as np
import pytest
from PIL import Image, ImageEnhance, ImageFilter
from sklearn.datasets import load_sample_image

from askpoint.errors import InputError
from askpoint.unknowns.image_repeats import PRINT, SIDE, ImageRepeats, image_print


@functools.cache
def photo(name):
    return Image.fromarray(load_sample_image(f"{name}.jpg"))


def print_of(image):
    grey = image.convert("L").resize((SIDE, SIDE), Image.Resampling.BOX)
    return image_print(np.asarray(grey, dtype=float))


def cut(image, left, top, right, bottom):
    w, h = image.size
    return image.crop((int(left * w), int(top * h), int(w - right * w), int(h - bottom * h)))


def saved(image, quality):
    out = io.BytesIO()
    image.save(out, "JPEG", quality=quality)
    return Image.open(out)


def tiles(image, n=4):
    w, h = image.width // n, image.height // n
    places = [(x * w, y * h) for x in range(n) for y in range(n)]
    return [image.crop((x, y, x + w, y + h)) for x, y in places]


CHANGES = {
    "the same": lambda it: it,
    "saved badly": lambda it: saved(it, 15),
    "a tenth as large": lambda it: it.resize((64, 43)),
    "larger": lambda it: it.resize((900, 600)),
    "stretched": lambda it: it.resize((640, 300)),
    "brighter": lambda it: ImageEnhance.Brightness(it).enhance(1.3),
    "darker": lambda it: ImageEnhance.Brightness(it).enhance(0.6),
    "paler": lambda it: ImageEnhance.Contrast(it).enhance(0.5),
    "grey": lambda it: it.convert("L"),
    "blurred": lambda it: it.filter(ImageFilter.GaussianBlur(3)),
    "5% cut off at each edge": lambda it: cut(it, 0.05, 0.05, 0.05, 0.05),
    "10% cut off at each edge": lambda it: cut(it, 0.1, 0.1, 0.1, 0.1),
    "12% cut off at the left": lambda it: cut(it, 0.12, 0, 0, 0),
    "cut unevenly": lambda it: cut(it, 0.03, 0.07, 0.01, 0.09),
    "mirrored": lambda it: it.transpose(Image.Transpose.FLIP_LEFT_RIGHT),
    "turned": lambda it: it.transpose(Image.Transpose.ROTATE_90),
    "cut, mirrored, saved badly": lambda it: saved(
        cut(it, 0.08, 0.04, 0.02, 0.08).transpose(Image.Transpose.FLIP_LEFT_RIGHT), 30
    ),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("name", ["china", "flower"])
def test_a_changed_photo_repeats_the_photo_whichever_came_first(name, change):
    one, other = print_of(photo(name)), print_of(change(photo(name)))
    for first, second in ((one, other), (other, one)):
        known = ImageRepeats()
        known.add(first)
        assert known.of(second).tolist() == [0]


def test_other_images_are_new():
    found = [photo("china"), photo("flower"), *tiles(photo("china"))]
    known = ImageRepeats()
    for number, image in enumerate(found):
        assert len(known) == number
        assert known.of(print_of(image)).tolist() == []
        known.add(print_of(image))


def test_light_and_dark_alike_are_taken_for_a_copy():
    """The limit that the documentation tells: mirrored, three quarters of a round flower lie alike."""
    known = ImageRepeats()
    for image in tiles(photo("flower"), 2)[:2]:
        known.add(print_of(image))
    assert known.of(print_of(tiles(photo("flower"), 2)[2])).tolist() == [0, 1]


def test_places_are_those_from_start_on():
    known = ImageRepeats()
    for image in (photo("china"), photo("flower"), saved(photo("china"), 30)):
        known.add(print_of(image))
    new = print_of(photo("china").resize((200, 130)))
    assert known.of(new).tolist() == [0, 2]
    assert known.of(new, 1).tolist() == [2]
    assert known.of(new, 3).tolist() == []
    assert ImageRepeats().of(new).tolist() == []


def test_that_one_repeats_the_other_holds_both_ways():
    prints = [print_of(image) for image in tiles(photo("china"), 2)]
    for one, other in combinations(prints, 2):
        answers = []
        for first, second in ((one, other), (other, one)):
            known = ImageRepeats()
            known.add(first)
            answers.append(known.of(second).tolist())
        assert answers[0] == answers[1]


def test_what_has_no_print():
    with pytest.raises(InputError, match="64 by 64"):
        image_print(np.eye(8))
    with pytest.raises(InputError, match="the same everywhere"):
        image_print(np.full((SIDE, SIDE), 7.0))
    with pytest.raises(InputError, match=f"{PRINT} numbers"):
        ImageRepeats().add(np.ones(3))
