"""Regions: planted ones are found and named, chance is not, and the numbers are those of the half."""

import csv
import gzip

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from askpoint.errors import InputError, NotEstimableError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.unknowns.population import population_mean
from askpoint.unknowns.regions import find_regions
from askpoint.unknowns.severity import severities

COSTS = CostMatrix(["benign", "hate"], [[0, 1], [5, 0]], unit="EUR")


def log(rng, n=1500, planted=True):
    """A calibrated model; or one that misses nearly all hate among the old of the north."""
    place = rng.choice(["north", "south", "east", "west"], n)
    age = rng.integers(18, 80, n).astype(float)
    noise = rng.normal(size=n)
    p = rng.random(n) ** 3 / 2
    island = (place == "north") & (age > 50) & planted
    truth = np.where(rng.random(n) < np.where(island, 0.8, p), "hate", "benign")
    columns = {"place": place, "age": age, "noise": noise}
    return p, np.full(n, "benign"), truth, columns, island


def test_a_planted_region_is_named_first():
    hits = 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        p, decided, truth, columns, island = log(rng)
        found = find_regions(p, COSTS, decided, truth, rng, columns=columns)
        rows = found.confirmed[0].holds(columns, {})
        hits += island[rows].mean() > 0.6 and "place is 'north'" in found.confirmed[0].name
    assert hits >= 9


@pytest.mark.no_cover
def test_where_there_is_none_none_is_reported():
    reported = 0
    for seed in range(25):
        rng = np.random.default_rng(seed)
        p, decided, truth, columns, _ = log(rng, planted=False)
        found = find_regions(p, COSTS, decided, truth, rng, columns=columns)
        reported += bool(found.confirmed)
        assert found.n_found >= len(found.confirmed)
    assert reported <= 2


def test_what_the_model_knows_is_no_finding():
    # the north is hard, and the model says so
    rng = np.random.default_rng(4)
    place = rng.choice(["north", "south"], 2000)
    p = np.where(place == "north", 0.45, 0.05)
    truth = np.where(rng.random(2000) < p, "hate", "benign")
    costs = CostMatrix.zero_one(["benign", "hate"])
    found = find_regions(p, costs, np.full(2000, "benign"), truth, rng, columns={"place": place})
    assert found.confirmed == ()


def test_the_numbers_are_those_of_the_other_half():
    rng = np.random.default_rng(5)
    p, decided, truth, columns, _ = log(rng)
    weights = rng.random(1500) + 0.5
    seed = np.random.default_rng(6)
    confirm = np.random.default_rng(6).permutation(1500)[750:]
    found = find_regions(
        p, COSTS, decided, truth, seed, columns=columns, weights=weights, level=0.9
    )
    region = found.confirmed[0]
    inside = region.holds(columns, {})
    rows = np.intersect1d(inside, confirm)
    wrong = (truth != decided)[rows].astype(float)
    assert (found.n_search, found.n_confirm, region.n_cases) == (750, 750, len(rows))
    assert region.n_mistakes == wrong.sum()
    assert region.share == pytest.approx(weights[inside].sum() / weights.sum())
    expected = population_mean(wrong, np.zeros(len(rows)), [len(rows)], level=0.9, finite=False)
    assert region.mistakes == expected
    assert region.cost.value == pytest.approx(5 * wrong.mean())
    assert region.estimated == pytest.approx((5 * p)[rows].mean())
    bad = severities(p, COSTS, decided, truth)[rows][wrong > 0]
    assert region.severity == pytest.approx(bad.mean())
    assert region.expected < region.n_mistakes
    assert region.p_value <= found.alpha == 0.02
    plain = find_regions(p, COSTS, decided, truth, np.random.default_rng(6), columns=columns)
    assert plain.confirmed[0].share == pytest.approx(len(inside) / 1500)


def test_words_of_a_segment_name_a_region_and_others_set_it_apart():
    rng = np.random.default_rng(7)
    words = np.array(
        [
            "people",
            "city",
            "house",
            "road",
            "week",
            "sun",
            "rain",
            "game",
            "talk",
            "work",
            "food",
            "music",
        ]
    )
    island = rng.random(1600) < 0.08
    body = [
        " ".join(
            [*rng.choice(words, 6), *(["northerners", rng.choice(["ice", "snow"])] if i else [])]
        )
        for i in island
    ]
    title = [" ".join(rng.choice(words, 2)) for _ in island]
    p = np.full(1600, 0.1)
    truth = np.where(rng.random(1600) < np.where(island, 0.7, 0.1), "hate", "benign")
    found = find_regions(
        p, COSTS, np.full(1600, "benign"), truth, rng, texts={"title": title, "body": body}
    )
    assert found.confirmed[0].name == "body has 'northerner'"
    assert set(found.confirmed[0].terms) >= {"body has 'ice'", "body has 'snow'"}


def test_limits_of_the_search():
    rng = np.random.default_rng(8)
    p, decided, truth, columns, _ = log(rng)
    one = find_regions(
        p, COSTS, decided, truth, rng, columns=columns, most_conditions=1, most_regions=1
    )
    assert one.n_found == 1
    assert all(len(region.conditions) == 1 for region in one.confirmed)
    none = find_regions(p, COSTS, decided, truth, rng, columns={"same": np.zeros(1500)})
    assert (none.n_found, none.confirmed) == (0, ())
    rare = np.r_[["rare"] * 20, ["usual"] * 1480]
    few = find_regions(p, COSTS, decided, truth, rng, columns={"rare": rare}, least=60)
    assert few.n_found == 0


def test_what_the_other_half_never_saw_is_not_confirmed():
    search = np.random.default_rng(6).permutation(400)[:200]
    once = np.full(400, "usual")
    truth = np.full(400, "benign")
    once[search[:8]], truth[search[:8]] = "once", "hate"
    found = find_regions(
        np.full(400, 0.1),
        COSTS,
        np.full(400, "benign"),
        truth,
        np.random.default_rng(6),
        columns={"column": once},
    )
    assert (found.n_found, found.confirmed) == (1, ())


def test_no_mistake_in_a_region_has_no_severity():
    rng = np.random.default_rng(9)
    p, decided, truth, columns, _ = log(rng)
    found = find_regions(p, COSTS, decided, truth, rng, columns=columns, alpha=0.999999)
    assert found.n_found
    for region in found.confirmed:
        assert (region.severity is None) == (region.n_mistakes == 0)


def test_bad_input_is_named():
    rng = np.random.default_rng(1)
    p, decided, truth, columns, _ = log(rng, 100)
    with pytest.raises(NotEstimableError, match=r"20 judged cases are too few .* at least 32"):
        find_regions(p[:20], COSTS, decided[:20], truth[:20], rng, columns=columns)
    with pytest.raises(InputError, match="got 100 for 50 cases"):
        find_regions(p[:50], COSTS, decided[:50], truth[:50], rng, columns=columns)
    with pytest.raises(InputError, match="in columns or in texts"):
        find_regions(p, COSTS, decided, truth, rng)
    for wrong in ({"most_conditions": 0}, {"most_regions": 0}, {"least": 0}):
        with pytest.raises(InputError, match="must be at least 1"):
            find_regions(p, COSTS, decided, truth, rng, columns=columns, **wrong)
    for name in ("alpha", "level"):
        with pytest.raises(InputError, match=f"{name} must be strictly"):
            find_regions(p, COSTS, decided, truth, rng, columns=columns, **{name: 0})


@pytest.mark.no_cover
def test_a_group_of_toxigen_is_named_in_a_stream_of_hatexplain(data):
    def read(name):
        with gzip.open(data / "text" / f"{name}.csv.gz", "rt", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    stream = [row for row in read("hatexplain") if row["label"] in ("normal", "hatespeech")]
    islands = [row for row in read("toxigen_annotated") if row["label"] == "toxic"]
    rng = np.random.default_rng(3)
    order = rng.permutation(len(stream))
    words = np.array([row["text"] for row in stream], dtype=object)
    hateful = np.array([row["label"] == "hatespeech" for row in stream])
    tfidf = TfidfVectorizer(min_df=2, sublinear_tf=True)
    train, rest = order[:8000], order[8000:12000]
    model = LogisticRegression(C=5, max_iter=500).fit(
        tfidf.fit_transform(words[train]), hateful[train]
    )
    named = 0
    for group in ("native_american", "physical_dis", "asian"):
        texts = [row["text"] for row in islands if row["group"] == group]
        log_texts = [*words[rest], *texts]
        truth = np.r_[hateful[rest], np.ones(len(texts), bool)]
        proba = model.predict_proba(tfidf.transform(log_texts))
        found = find_regions(
            proba,
            CostMatrix.zero_one([False, True]),
            proba[:, 1] > 0.5,
            truth,
            rng,
            texts={"text": log_texts},
        )
        named += any(
            any(word in region.name for word in ("native", "disab", "wheelchair", "asian"))
            for region in found.confirmed[:3]
        )
    assert named == 3


def repeated(rng, n=400, times=4, planted=False):
    """Each case so many times, and which case it is."""
    p, decided, truth, columns, _ = log(rng, n, planted=planted)
    again = np.repeat(np.arange(n), times)
    cells = {name: column[again] for name, column in columns.items()}
    return p[again], decided[again], truth[again], cells, again


@pytest.mark.no_cover
def test_cases_given_four_times_are_no_proof():
    plain = clustered = 0
    for seed in range(12):
        p, decided, truth, columns, cluster = repeated(np.random.default_rng(seed))
        for clusters in (None, cluster):
            found = find_regions(
                p,
                COSTS,
                decided,
                truth,
                np.random.default_rng(seed),
                columns=columns,
                clusters=clusters,
            )
            plain += clusters is None and bool(found.confirmed)
            clustered += clusters is not None and bool(found.confirmed)
    assert clustered <= 1
    assert plain >= 6  # without clusters chance is reported


def test_a_cluster_lies_in_one_half_and_intervals_count_clusters():
    rng = np.random.default_rng(8)
    p, decided, truth, columns, cluster = repeated(rng, n=1500, planted=True)
    found = find_regions(p, COSTS, decided, truth, rng, columns=columns, clusters=cluster)
    assert found.n_search % 4 == found.n_confirm % 4 == 0
    region = found.confirmed[0]
    assert "place is 'north'" in region.name
    # four times the same is as one: the interval is that of a quarter of the cases
    n = region.n_cases // 4
    once = np.zeros(n)
    once[: region.n_mistakes // 4] = 1
    expected = population_mean(once, np.zeros(n), [n], finite=False)
    assert region.mistakes.interval == pytest.approx(expected.interval)


def test_clusters_of_one_case_change_no_rate_and_few_clusters_are_all_alike():
    p, decided, truth, columns, _ = log(np.random.default_rng(9))
    one = find_regions(
        p,
        COSTS,
        decided,
        truth,
        np.random.default_rng(1),
        columns=columns,
        clusters=np.arange(1500),
    )
    assert one.confirmed
    few = find_regions(
        p,
        COSTS,
        decided,
        truth,
        np.random.default_rng(1),
        columns=columns,
        clusters=np.arange(1500) % 8,
    )
    assert few.confirmed == ()


def test_clusters_that_cannot_be_halved_are_refused():
    p, decided, truth, columns, _ = log(np.random.default_rng(9), n=100)
    rng = np.random.default_rng(1)
    with pytest.raises(InputError, match="one name a case"):
        find_regions(p, COSTS, decided, truth, rng, columns=columns, clusters=[1, 2])
    with pytest.raises(NotEstimableError, match="2 clusters cannot be halved"):
        find_regions(p, COSTS, decided, truth, rng, columns=columns, clusters=np.arange(100) % 2)
