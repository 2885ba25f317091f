"""Files that strangers send as images: read in a process apart, kept bare, or refused."""

from __future__ import annotations

import io
import tempfile
import zipfile
from contextlib import suppress

import numpy as np
import pytest
from PIL import Image as Pillow

from askpoint.errors import InputError, ModelError
from askpoint.server.classifiers.processes import Scorer
from askpoint.server.uploads import services as uploads
from askpoint.server.uploads.decoding import (
    MOST_BYTES,
    MOST_KEPT,
    MOST_PIXELS,
    MOST_SIDE,
    read_picture,
)
from server.pictures import SVG, chunk, encoded, huge_png, scene

GPS = Pillow.Exif()
GPS[0x0112] = 6  # turned by a quarter
GPS.get_ifd(0x8825)[2] = (48.0, 8.0, 15.0)
GPS[0x010F] = "SecretCam"


def opened(picture):
    return Pillow.open(io.BytesIO(picture.content))


@pytest.mark.parametrize(
    ("kind", "mode", "kept"),
    [
        ("PNG", "RGB", "image/png"),
        ("PNG", "P", "image/png"),
        ("PNG", "L", "image/png"),
        ("PNG", "1", "image/png"),
        ("JPEG", "RGB", "image/jpeg"),
        ("JPEG", "CMYK", "image/jpeg"),
        ("WEBP", "RGB", "image/jpeg"),
    ],
)
def test_an_image_is_kept_as_pixels_in_one_of_two_formats(kind, mode, kept):
    image = scene(1)
    found = read_picture(encoded(image.convert(mode), kind))
    assert (found.kind, found.width, found.height) == (kept, *image.size)
    with opened(found) as back:
        assert (back.mode, back.format) == ("RGB", kept[6:].upper())
        if mode in ("RGB", "CMYK"):
            far = np.abs(np.asarray(back, dtype=int) - np.asarray(image, dtype=int))
            assert far.mean() < 6


def test_where_and_when_a_photo_was_taken_is_gone_and_it_stands_upright():
    sent = encoded(scene(2, (96, 64)), "JPEG", exif=GPS, comment=b"made at home")
    assert b"SecretCam" in sent
    assert b"made at home" in sent
    found = read_picture(sent)
    assert (found.width, found.height) == (64, 96)
    with opened(found) as back:
        assert not back.getexif()
        assert set(back.info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}
    assert b"Exif" not in found.content
    assert b"made at home" not in found.content
    text = encoded(scene(2))
    noted = text[:-12] + chunk(b"tEXt", b"where\0at home") + text[-12:]
    assert b"at home" not in read_picture(noted).content
    assert read_picture(noted).sha256 == read_picture(text).sha256


def test_what_hides_behind_an_image_is_not_kept():
    html = b"<script>alert(document.domain)</script>"
    pack = io.BytesIO()
    with zipfile.ZipFile(pack, "w") as out:
        out.writestr("x", "y")
    for kind in ("PNG", "JPEG"):
        for tail in (html, pack.getvalue()):
            found = read_picture(encoded(scene(3), kind) + tail)
            assert tail not in found.content
            assert not zipfile.is_zipfile(io.BytesIO(found.content))


def test_transparent_parts_are_white_to_judges_and_model_alike():
    clear = scene(4).convert("RGBA")
    clear.putalpha(Pillow.new("L", clear.size, 255))
    clear.paste((0, 0, 0, 0), (0, 0, 20, 20))
    with opened(read_picture(encoded(clear))) as back:
        assert back.getpixel((5, 5)) == (255, 255, 255)


def test_sixteen_bits_become_eight():
    deep = (np.arange(64 * 64).reshape(64, 64) * 16).astype(np.uint16)
    with opened(read_picture(encoded(Pillow.fromarray(deep)))) as back:
        assert abs(back.getpixel((32, 40))[0] - deep[40, 32] // 257) <= 1


def test_a_large_image_is_scaled_and_a_noisy_one_packed():
    noise = np.random.default_rng(0).integers(0, 256, (1200, 2000, 3), dtype=np.uint8)
    found = read_picture(encoded(Pillow.fromarray(noise), "JPEG"))
    assert max(found.width, found.height) <= MOST_SIDE
    assert len(found.content) <= MOST_KEPT
    drawn = read_picture(encoded(Pillow.fromarray(noise[:800, :800]), "PNG", compress_level=1))
    assert len(drawn.content) <= MOST_KEPT
    assert drawn.kind == "image/jpeg"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"not an image at all", "not a PNG, JPEG or WebP"),
        (SVG, "not a PNG, JPEG or WebP"),
        (b"\x89PNG\r\n\x1a\n" + SVG, "cannot be read|not a PNG"),
        (encoded(scene(), "GIF"), "not a PNG, JPEG or WebP"),
        (encoded(scene(), "BMP"), "not a PNG, JPEG or WebP"),
        (encoded(scene(), "TIFF"), "not a PNG, JPEG or WebP"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", "not a PNG, JPEG or WebP"),
        (encoded(scene())[:400], "damaged, or ends early"),
        (encoded(scene(), "JPEG")[:700], "damaged, or ends early"),
        (encoded(scene(), "WEBP")[:300], "damaged, or ends early|not a PNG"),
        (huge_png(60_000, 60_000), "25,000,000 pixels"),
        (huge_png(6_000, 6_000), "25,000,000 pixels"),
        (huge_png(2**31 - 1, 1), "25,000,000 pixels|cannot be read|not a PNG"),
        (huge_png(1_000, 1_000)[:60], "damaged|not a PNG"),
        (encoded(Pillow.new("RGB", (50, 50), "red")), "of one colour"),
        (encoded(scene(size=(4_000, 20))), "at least 16 pixels"),
        (encoded(scene(size=(8, 8))), "at least 16 pixels"),
        (bytes(MOST_BYTES + 1), "at most 6,000,000 bytes"),
    ],
)
def test_what_is_no_image_is_refused_in_words(content, says):
    with pytest.raises(InputError, match=says):
        read_picture(content)


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_an_image_that_moves_is_refused(kind):
    sent = encoded(scene(0), kind, save_all=True, append_images=[scene(1)], duration=100)
    with pytest.raises(InputError, match="one frame"):
        read_picture(sent)


def test_no_damaged_file_breaks_the_reader():
    rng = np.random.default_rng(7)
    for kind in ("PNG", "JPEG", "WEBP"):
        good = np.frombuffer(encoded(scene(1), kind), dtype=np.uint8)
        for _ in range(60):
            bad = good.copy()
            bad[rng.integers(0, len(bad), 4)] = rng.integers(0, 256, 4)
            with suppress(InputError):
                assert read_picture(bad.tobytes()).content


def test_pixels_are_counted_before_they_are_unpacked():
    assert MOST_PIXELS < 89_478_485  # where Pillow itself begins to warn


def test_images_are_read_in_a_process_of_their_own():
    folder = tempfile.mkdtemp(dir="/tmp")  # sockets have short names
    scorer = Scorer(uploads.image_reader(), f"{folder}/images.sock")
    try:
        assert scorer.wait_until_ready() == ""
        found = uploads._ask_process(f"{folder}/images.sock", encoded(scene(5)))
        assert found == read_picture(encoded(scene(5)))
        with pytest.raises(InputError, match="not a PNG, JPEG or WebP image"):
            uploads._ask_process(f"{folder}/images.sock", SVG)
    finally:
        scorer.stop()
    with pytest.raises(ModelError, match="cannot be read just now"):
        uploads._ask_process(f"{folder}/images.sock", encoded(scene(5)))
