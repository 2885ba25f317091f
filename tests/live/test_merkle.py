"""The Merkle tree: golden roots of the certificate logs, the RFC's own example, and a tree by its definition."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given, strategies as st

from askpoint.live.merkle import (
    TILE,
    Tree,
    consistency_path,
    inclusion_path,
    is_consistent,
    is_included,
    leaf_hash,
)

# Of the reference implementation of certificate transparency, which RFC 6962 describes: rows and their roots.
ROWS = [bytes.fromhex(row) for row in (
    "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")]  # fmt: skip
ROOTS = (
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def definition(rows):
    """RFC 6962, 2.1, word for word."""
    if not rows:
        return hashlib.sha256(b"").digest()
    if len(rows) == 1:
        return hashlib.sha256(b"\x00" + rows[0]).digest()
    k = 1
    while 2 * k < len(rows):
        k *= 2
    return hashlib.sha256(b"\x01" + definition(rows[:k]) + definition(rows[k:])).digest()


def audit_path(m, rows):
    """RFC 6962, 2.1.1, word for word."""
    if len(rows) == 1:
        return []
    k = 1
    while 2 * k < len(rows):
        k *= 2
    if m < k:
        return [*audit_path(m, rows[:k]), definition(rows[k:])]
    return [*audit_path(m - k, rows[k:]), definition(rows[:k])]


def sub_proof(m, rows, *, whole=True):
    """RFC 6962, 2.1.2, word for word."""
    if m == len(rows):
        return [] if whole else [definition(rows)]
    k = 1
    while 2 * k < len(rows):
        k *= 2
    if m <= k:
        return [*sub_proof(m, rows[:k], whole=whole), definition(rows[k:])]
    return [*sub_proof(m - k, rows[k:], whole=False), definition(rows[:k])]


def nodes_of(rows):
    return lambda level, place: definition(rows[place << level : (place + 1) << level])


def rows_of(n):
    return [f"row {i}".encode() for i in range(n)]


def test_the_roots_of_the_certificate_logs():
    tree = Tree()
    assert tree.root().hex() == EMPTY
    for n, (row, root) in enumerate(zip(ROWS, ROOTS, strict=True), 1):
        tree.append([leaf_hash(row)])
        assert (tree.size, tree.root().hex()) == (n, root)
        assert definition(ROWS[:n]).hex() == root


def test_the_example_of_the_rfc():
    """RFC 6962, 2.1.3: seven rows, and the names of the hashes in their paths."""
    d = [b"d%d" % i for i in range(7)]
    a, b, c, e, f, j = (definition([one]) for one in (d[0], d[1], d[2], d[4], d[5], d[6]))
    g, h, i, k = definition(d[:2]), definition(d[2:4]), definition(d[4:6]), definition(d[:4])
    del e
    node = nodes_of(d)
    assert inclusion_path(0, 7, node) == [b, h, definition(d[4:])]
    assert inclusion_path(3, 7, node) == [c, g, definition(d[4:])]
    assert inclusion_path(4, 7, node) == [f, j, k]
    assert inclusion_path(6, 7, node) == [i, k]
    assert consistency_path(3, 7, node) == [c, definition([d[3]]), g, definition(d[4:])]
    assert consistency_path(4, 7, node) == [definition(d[4:])]
    assert consistency_path(6, 7, node) == [i, j, k]
    assert a == leaf_hash(d[0])


def test_all_proofs_of_all_trees_up_to_seventy_rows():
    rows = rows_of(70)
    node = nodes_of(rows)
    roots = [definition(rows[:n]) for n in range(71)]
    for n in range(1, 71):
        for m in range(n):
            path = inclusion_path(m, n, node)
            leaf = leaf_hash(rows[m])
            assert is_included(leaf, m, n, path, roots[n])
            if n in {1, 2, 7, 16, 33, 70}:
                assert path == audit_path(m, rows[:n])
                other = leaf_hash(rows[(m + 1) % 70])
                assert not is_included(other, m, n, path, roots[n])
                assert not is_included(leaf, m, n, [*path, leaf], roots[n])
                assert not is_included(leaf, m, n, path[:-1], roots[n]) or n == 1
                assert not is_included(leaf, m, n, path, roots[n - 1])
                if n > 1:
                    assert not is_included(leaf, (m + 1) % n, n, path, roots[n])
            growth = consistency_path(m + 1, n, node)
            assert is_consistent(m + 1, n, growth, roots[m + 1], roots[n])
            if n in {2, 7, 16, 33, 70} and m + 1 < n:
                assert growth == sub_proof(m + 1, rows[:n])
                assert not is_consistent(m + 1, n, growth, roots[m], roots[n])
                assert not is_consistent(m + 1, n, growth, roots[m + 1], roots[n - 1])
                assert not is_consistent(m + 1, n, growth[:-1], roots[m + 1], roots[n])
                assert not is_consistent(m + 1, n, [], roots[m + 1], roots[n])
                assert not is_consistent(m + 1, n, [*growth, roots[1]], roots[m + 1], roots[n])


def test_what_is_not_in_a_tree_has_no_path():
    node = nodes_of(rows_of(4))
    for place, size in ((4, 4), (-1, 4), (0, 0)):
        with pytest.raises(ValueError, match="is not among"):
            inclusion_path(place, size, node)
        assert not is_included(b"", place, size, [], b"")
    for first, second in ((0, 4), (5, 4)):
        with pytest.raises(ValueError, match="is not the beginning"):
            consistency_path(first, second, node)
        assert not is_consistent(first, second, [], b"", b"")
    with pytest.raises(ValueError, match="has 2 peaks"):
        Tree(3, [b""])


@given(parts=st.lists(st.integers(0, 700), max_size=6))
def test_a_tree_is_the_same_however_it_grew(parts):
    rows = rows_of(sum(parts))
    hashes = [leaf_hash(row) for row in rows]
    tree, start = Tree(), 0
    whole = []
    for n in parts:
        after = tree.copy()
        after.append(hashes[start : start + n])
        assert tree.size == start  # the copy grew, not this
        tree, start = after, start + n
        whole += tree.whole
    at_once = Tree()
    at_once.append(hashes)
    assert (tree.size, tree.peaks) == (at_once.size, at_once.peaks)
    assert sorted(whole) == sorted(at_once.whole)
    assert [place for level, place, _ in whole if level == TILE] == list(range(len(rows) >> TILE))


def test_whole_subtrees_are_those_of_the_definition():
    rows = rows_of(600)
    tree = Tree()
    tree.append([leaf_hash(row) for row in rows])
    assert tree.whole == [(8, i, definition(rows[256 * i : 256 * i + 256])) for i in range(2)]
    assert tree.root() == definition(rows)
    big = Tree()
    big.append([leaf_hash(b"x")] * (1 << 16))
    level = [place for level, place, _ in big.whole if level == 16]
    assert (level, big.whole[-1][2]) == ([0], big.root())
