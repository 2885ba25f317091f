"""One find is one find, however it is spelled; and what only shares a phrase is another one."""

from __future__ import annotations

import csv
import gzip
import re

import numpy as np
import pytest
from hypothesis import given, settings, strategies

from arena.game.scene import MINUTE, NOW, SURE, arena
from arena.game.spellings import EVERYDAY, NEW_SPELLINGS, SPELLINGS, spell
from arena.game.test_family import BASE, FULL, ruled
from askpoint.arena.game.folding import fold_words
from askpoint.arena.game.prints import print_of, read_print
from askpoint.arena.game.repeats import Repeats

FIND = "nobody of that sort should ever be allowed to settle down in this quiet little town of ours"
TAUGHT = list(SPELLINGS | NEW_SPELLINGS)
NOISE = re.compile(r"https?://\S+|@\w+|\bRT\b|&\w+;|&#\d+;")


def stored_posts(data, name, seed):
    """Different posts of a set, of 20 letters or more, without what is none of their text."""
    with gzip.open(data / "text" / f"{name}.csv.gz", "rt", encoding="utf-8") as file:
        texts = [" ".join(NOISE.sub(" ", row["text"]).split()) for row in csv.DictReader(file)]
    long = sorted({it for it in texts if sum(map(str.isalpha, it)) >= 20})
    drawn = [long[i] for i in np.random.default_rng(seed).permutation(len(long))[:1700]]
    return list({print_of(text).letters: text for text in drawn}.values())


def repeats(first, second, player="alice"):
    texts = Repeats()
    texts.add(print_of("something else that was submitted before it"), "alice")
    texts.add(print_of(first), "alice")
    return texts.of(print_of(second), player).tolist() == [1]


@pytest.mark.parametrize("name", TAUGHT)
def test_a_spelling_repeats(name):
    assert repeats(FIND, spell(FIND, name))
    assert repeats(spell(FIND, name), FIND)


def test_stored_posts_are_caught_in_nearly_all_spellings(data):
    bases = [
        post
        for name in ("davidson", "hatexplain")
        for post in [it for it in stored_posts(data, name, 3) if sum(map(str.isalpha, it)) >= 30][
            :25
        ]
    ]
    texts = Repeats()
    for post in bases:
        texts.add(print_of(post), "alice")
    shares = {}
    for name in SPELLINGS | NEW_SPELLINGS:
        spelled = [print_of(spell(post, name, i)) for i, post in enumerate(bases)]
        shares[name] = np.mean([i in texts.of(it, "alice") for i, it in enumerate(spelled)])
    assert np.mean([shares[name] for name in SPELLINGS]) >= 0.97
    assert min(shares[name] for name in SPELLINGS) >= 0.85
    assert np.mean([shares[name] for name in NEW_SPELLINGS]) >= 0.95


def test_stored_posts_of_strangers_repeat_nobody(data):
    """On few; `python benchmarks/bench_spellings.py` takes thousands."""
    posts = stored_posts(data, "stormfront", 4)[:1600]
    texts = Repeats()
    for post in posts[:800]:
        texts.add(print_of(post), "alice")
    merged = [post for post in posts[800:] if len(texts.of(print_of(post), "eve"))]
    assert len(merged) <= 1


@settings(max_examples=10)
@given(strategies.permutations(sorted(SPELLINGS)))
@pytest.mark.whole
def test_any_order_of_spellings_pays_the_same(names):
    game = arena(points=200_000)
    cases = []
    for number, name in enumerate(names):
        now = NOW + number * MINUTE
        tried = game.try_case("alice", name, SURE, now, text=spell(FIND, name))
        cases.append(game.submit(tried.id, now).id)
    for case in np.random.default_rng(len(names[0])).permutation(cases).tolist():
        ruled(game, case, "hate")
    assert game.withdrawable("alice") == BASE + FULL
    assert len({game.probes[case].family for case in cases}) == 1
    assert game.ledger.balance(game.campaign.reserved) == 0


def test_two_families_of_one_player_become_one_when_a_case_repeats_both():
    left, right = FIND[:48], FIND[46:]
    game = arena()
    for number, text in enumerate((left, right)):
        tried = game.try_case("alice", text, SURE, NOW, text=text)
        game.submit(tried.id, NOW + number * MINUTE)
    assert len({probe.family for probe in game.probes.values()}) == 2
    for case in list(game.probes):
        ruled(game, case, "hate", NOW + 3 * MINUTE)
    assert game.withdrawable("alice") == 2 * (BASE + FULL)
    tried = game.try_case("alice", "both", SURE, NOW + 4 * MINUTE, text=f"{left} {right}")
    game.submit(tried.id, NOW + 4 * MINUTE)
    assert len({probe.family for probe in game.probes.values()}) == 1
    assert game.withdrawable("alice") == BASE + FULL


def test_nobody_makes_one_family_of_two_of_somebody_elses():
    left, right = FIND[:48], FIND[46:]
    game = arena()
    for text in (left, right):
        game.submit(game.try_case("alice", text, SURE, NOW, text=text).id, NOW)
    later = NOW + MINUTE
    tried = game.try_case("eve", "both", SURE, later, text=f"{left} {right}")
    game.submit(tried.id, later)
    assert len({probe.family for probe in game.probes.values()}) == 2


def test_a_piece_of_a_long_text_repeats_only_the_players_own():
    essay = " ".join(
        [*EVERYDAY, FIND, *(f"{day} was much like it." for day in ("Monday", "Tuesday"))]
    )
    assert repeats(essay, FIND, "alice")
    assert not repeats(essay, FIND, "eve")


@pytest.mark.parametrize(
    "other",
    [
        "go back to where you come from, and take all of your friends along with you",
        "they belong in jail",
        "ok",
        "🙂🙂🙂",
    ],
)
def test_another_text_is_another_find(other):
    assert not repeats(FIND, other)
    assert not repeats("go back to where you come from, nobody has asked for a dentist here", other)


def test_a_short_text_repeats_what_reads_the_same():
    assert repeats("they belong in jail", "They belong in JAIL!!")
    assert repeats("ok", "0k")
    assert repeats("🙂🙂🙂", "🙂 🙂🙂")
    assert not repeats("they belong in jail", "they belong in hell")


TWO = "these people should leave our country at once, ces gens-là doivent tous partir d'ici demain"


@pytest.mark.parametrize(
    "text",
    [
        TWO,
        "these people should leave our country now, эти люди должны уехать из нашей страны",
        "these people should leave our country now, يجب أن يغادر هؤلاء الناس بلدنا فورا",
        "these people should leave our country now, 这些人应该马上离开我们的国家再也不要回来",
    ],
)
def test_a_find_of_two_languages(text):
    assert repeats(text, text.upper())
    assert repeats(text, "\u200b".join(text))
    assert repeats(text, " ".join(text))
    half = text.partition(",")[0] + ", and nobody has asked them to come here in the first place"
    assert not repeats(text, half, "eve")


def test_marks_are_letters_in_some_scripts():
    assert fold_words("Gemüse Ẹ́ụ") == ["gemuse", "eu"]
    assert fold_words("हिन्दी") != fold_words("हनद")


def test_addresses_and_a_shared_tail_of_hashtags_are_left_out():
    tail = " #monday #morning #coffee #weather #traffic"
    one, other = (
        "my neighbour has painted his fence in three colours",
        "the bus was late by an hour",
    )
    assert fold_words(one + " https://example.org/a/b?c=d") == fold_words(one)
    assert fold_words(one + " #monday") == fold_words(one)
    assert not repeats(one + tail, other + tail, "eve")
    tags = "#these #people #should #leave #our #country #at #once"
    assert "country" in fold_words(tags + " now please, all of you")
    assert repeats("https://example.org/a-long-path", "https://example.org/a-long-path ")


def test_a_print_is_read_as_it_was_written():
    for text in (FIND, TWO, "🙂🙂", "a b c"):
        print_ = print_of(text)
        again = read_print(str(print_))
        assert (again.letters, again.words) == (print_.letters, print_.words)
        assert again.consonants == print_.consonants


def test_what_shares_a_piece_is_no_repeat():
    texts = Repeats()
    texts.add(None)
    texts.add(print_of(FIND), "alice")
    near = " ".join(FIND.split()[:9]) + " go home to wherever it is that they may come from"
    assert texts.of(print_of(near), "eve").tolist() == []
    piece = print_of(" ".join(FIND.split()[:6]))
    assert texts.of(piece, "eve").tolist() == []
    assert texts.of(print_of(FIND), start=2).tolist() == []
    assert len(texts) == 2
    texts.add(piece, "alice")
    assert texts.of(print_of(FIND), "eve", start=1).tolist() == [1]
    assert texts.of(print_of(FIND), "eve", start=2).tolist() == []  # it is before that


def test_a_text_without_consonants_has_no_runs_of_them_and_repeats_only_itself():
    vowels = print_of("aeiou aeiou")
    assert vowels.consonant_runs.tolist() == [] != vowels.runs.tolist()
    texts = Repeats()
    texts.add(print_of(FIND), "alice")
    texts.add(vowels, "alice")
    assert texts.of(vowels, "eve").tolist() == [1]
    assert texts.of(print_of("uoiea uoiae"), "eve").tolist() == []


def test_without_its_packages_the_extra_part_is_named(monkeypatch):
    import sys

    from askpoint.arena.game import folding, repeats as module
    from askpoint.errors import InputError

    monkeypatch.setitem(sys.modules, "rapidfuzz.distance", None)
    with pytest.raises(InputError, match=r"askpoint\[arena\]"):
        module._subsequences("a", ["b"])
    folding._look_alikes.cache_clear()
    monkeypatch.setitem(sys.modules, "confusable_homoglyphs.confusables", None)
    with pytest.raises(InputError, match=r"askpoint\[arena\]"):
        folding._look_alikes()


def test_one_player_repeats_own_texts_and_not_what_is_another_text(data):
    posts, merged = stored_posts(data, "hatexplain", 5)[:1600], 0
    for start in range(0, len(posts), 100):
        texts = Repeats()
        for post in posts[start : start + 50]:
            texts.add(print_of(post), "alice")
        merged += sum(
            len(texts.of(print_of(post), "alice")) > 0 for post in posts[start + 50 : start + 100]
        )
    assert merged <= 3  # of 800
