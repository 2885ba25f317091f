"""How many copies of images are found, and how many pairs of different images are taken for copies, by their kind.

    python benchmarks/bench_image_copies.py [PICTURES]

The rule of `askpoint.unknowns.image_repeats` was not chosen on these: parts of three free photos that
scikit-learn and matplotlib bring (parts that do not overlap), and pictures that are drawn here, seeds 0, 1, ....
Each goes through the decoder of the server, as a player's file does. Copies are made of the whole picture,
or of a part of it; pairs are all pairs of a kind, so the harder the more alike its pictures are.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from itertools import islice, product

import numpy as np
from matplotlib import cbook
from PIL import Image, ImageDraw, ImageEnhance, ImageFilter, ImageOps
from sklearn.datasets import load_digits, load_sample_image

from askpoint.measures.inputs import FloatArray
from askpoint.server.uploads.decoding import read_picture
from askpoint.unknowns.image_repeats import ImageRepeats

SIZE = 320, 240
WORDS = [
    "we",
    "pay",
    "who",
    "finds",
    "what",
    "the",
    "machine",
    "is",
    "sure",
    "of",
    "and",
    "wrong",
    "about",
    "before",
    "it",
    "costs",
    "you",
]
TURNS = Image.Transpose
CUTS = (0.05, 0.1, 0.15)
N_PARTS = 5  # each way, of a photo
LEAST_CONTRAST = 12  # of 255


def photos(count: int) -> Iterator[Image.Image]:
    """Parts of three photos, of which none overlaps another and none is bare sky."""
    hopper = np.asarray(Image.open(cbook.get_sample_data("grace_hopper.jpg")).convert("RGB"))
    whole = [load_sample_image("china.jpg"), load_sample_image("flower.jpg"), hopper]
    parts = (
        part
        for strips in zip(*(np.array_split(pixels, N_PARTS) for pixels in whole), strict=True)
        for strip in strips
        for part in np.array_split(strip, N_PARTS, axis=1)
    )
    shown = (Image.fromarray(part) for part in parts if part.mean(axis=2).std() > LEAST_CONTRAST)
    return islice(shown, count)


def terrain(count: int) -> Iterator[Image.Image]:
    """Clouds of noise, in which each scale is half as strong as the one that is twice as large."""
    for seed in range(count):
        rng, height = np.random.default_rng(seed), np.zeros((256, 256))
        for scale in (4, 8, 16, 32, 64):
            rough = Image.fromarray(rng.normal(0, 1, (scale, scale)).astype(np.float32))
            height += np.asarray(rough.resize((256, 256), Image.Resampling.BICUBIC)) / scale
        shares = (height - height.min()) / np.ptp(height)
        yield Image.fromarray((255 * shares).astype(np.uint8)).resize(SIZE)


def shapes(count: int) -> Iterator[Image.Image]:
    """Ten discs and boxes of any colour, anywhere."""
    for seed in range(count):
        rng = np.random.default_rng(seed)
        image = Image.new("RGB", SIZE, tuple(int(one) for one in rng.integers(0, 256, 3)))
        draw = ImageDraw.Draw(image)
        for _ in range(10):
            x, y, w, h = (int(one) for one in rng.integers(0, 240, 4))
            colour = tuple(int(one) for one in rng.integers(0, 256, 3))
            form = draw.ellipse if rng.random() < 0.5 else draw.rectangle
            form((x, y, x + w // 2 + 10, y + h // 2 + 10), fill=colour)
        yield image


def captions(count: int) -> Iterator[Image.Image]:
    """Words on white: what differs is what they say."""
    for seed in range(count):
        rng = np.random.default_rng(seed)
        image = Image.new("RGB", SIZE, "white")
        draw = ImageDraw.Draw(image)
        for line in range(6):
            words = " ".join(rng.choice(WORDS, rng.integers(2, 5)))
            draw.text((12, 12 + 36 * line), words, fill="black", font_size=24)
        yield image


def charts(count: int) -> Iterator[Image.Image]:
    """Seven bars within the same axes."""
    for seed in range(count):
        rng = np.random.default_rng(seed)
        image = Image.new("RGB", SIZE, "white")
        draw = ImageDraw.Draw(image)
        for bar, height in enumerate(rng.integers(20, 190, 7)):
            draw.rectangle((45 + 38 * bar, 215 - int(height), 72 + 38 * bar, 215), fill="#4477aa")
        draw.line((35, 15, 35, 215, 310, 215), fill="black", width=2)
        yield image


def digits(count: int) -> Iterator[Image.Image]:
    """Handwritten digits in one frame, as large as the others: the kind for which the rule is not made."""
    for pixels in load_digits().images[:count]:
        yield Image.fromarray((255 - 15.9 * pixels).astype(np.uint8)).resize(SIZE)


KINDS: dict[str, Callable[[int], Iterator[Image.Image]]] = {
    "parts of photos": photos,
    "clouds of noise": terrain,
    "discs and boxes": shapes,
    "words on white": captions,
    "bars in one frame": charts,
    "digits in one frame": digits,
}


def encoded(image: Image.Image, kind: str = "PNG", **how: int) -> bytes:
    """Return the bytes of a file."""
    out = io.BytesIO()
    image.convert("RGB").save(out, kind, **how)
    return out.getvalue()


def print_of(content: bytes) -> FloatArray:
    """Return the print of a file as the server keeps it."""
    return np.frombuffer(read_picture(content).print, dtype="<f2").astype(np.float64)


def copies(image: Image.Image) -> Iterator[bytes]:
    """Yield the whole picture, made into another file."""
    yield encoded(image, "JPEG", quality=15)
    yield encoded(image.resize((image.width // 4, image.height // 4)))
    yield encoded(image.resize((image.width * 2, image.height * 2)))
    yield encoded(image.resize((image.width, image.height // 2)))
    yield encoded(ImageEnhance.Brightness(image).enhance(1.3))
    yield encoded(ImageEnhance.Contrast(image).enhance(0.5))
    yield encoded(ImageOps.grayscale(image))
    yield encoded(image.filter(ImageFilter.GaussianBlur(2)))
    yield encoded(image.transpose(TURNS.FLIP_LEFT_RIGHT))
    yield encoded(image.transpose(TURNS.ROTATE_90))
    yield encoded(image.transpose(TURNS.ROTATE_180))


def cut(image: Image.Image, share: float, edges: int) -> bytes:
    """Return the picture with a share cut off at the left, or at each edge."""
    x, y = int(share * image.width), int(share * image.height)
    right, low = image.width, image.height
    return encoded(image.crop((x, 0, right, low) if edges == 1 else (x, y, right - x, low - y)))


def share_of(found: list[bool]) -> str:
    """Say how many of how many."""
    return f"{sum(found)} of {len(found)}"


def main(count: int) -> None:
    """Print a line for each kind."""
    heads = [f"{share:.0%} cut at {where}" for where in ("the left", "each edge") for share in CUTS]
    print(
        "| pictures | whole, changed |", " | ".join(heads), "| different pairs taken for copies |"
    )
    print("|" + "---|" * (len(heads) + 3))
    for name, make in KINDS.items():
        whole: list[bool] = []
        parts: dict[tuple[int, float], list[bool]] = {key: [] for key in product((1, 4), CUTS)}
        before, pairs, taken = ImageRepeats(), 0, 0
        for image in make(count):
            own, known = print_of(encoded(image)), ImageRepeats()
            known.add(own)
            whole += [bool(len(known.of(print_of(copy)))) for copy in copies(image)]
            for (edges, share), found in parts.items():
                found.append(bool(len(known.of(print_of(cut(image, share, edges))))))
            pairs, taken = pairs + len(before), taken + len(before.of(own))
            before.add(own)
        cells = [share_of(found) for found in parts.values()]
        line = [f"{len(before)} {name}", share_of(whole), *cells, f"{taken:,} of {pairs:,}"]
        print("|", " | ".join(line), "|", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 48)
