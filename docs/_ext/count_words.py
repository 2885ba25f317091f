"""How many words the documentation has, by kind of page: `make words` writes them into docs/project/words.md.

Not counted: code in blocks and within lines, formulas in blocks, the addresses of links, the reference, and what contributors read.
"""

import re
from pathlib import Path

HOME = Path(__file__).parents[1]
KINDS = ("index.md", "tutorials", "how-to", "explanation", "evidence")
MOST = 38_000
CODE = re.compile(
    r"(?ms)^( *)(```|~~~|:::).*?^\1\2|^\$\$.*?\$\$|<!--.*?-->|\]\([^)\s]*\)|^\([\w-]+\)=$"
)
SPAN = re.compile(r"`[^`\n]+`")
TABLE = re.compile(r"(?m)^ *\|.*$")
WORD = re.compile(r"\S*\w\S*")


def count_words(text):
    """Return the words of a page outside its code: of its sentences, and of its tables."""
    read = SPAN.sub(" ", CODE.sub(" ", text))
    table = TABLE.findall(read)
    cells = [cell for row in table for cell in row.split("|")]
    return len(WORD.findall(TABLE.sub(" ", read))), sum(len(WORD.findall(cell)) for cell in cells)


def pages_of(kind):
    """Return the files of a kind."""
    found = HOME / kind
    return sorted(found.glob("*.md")) if found.is_dir() else [found]


def count_kinds():
    """Return for each kind its pages, and the words of their sentences and tables."""
    counts = {}
    for kind in KINDS:
        each = [count_words(page.read_text("utf-8")) for page in pages_of(kind)]
        counts[kind] = (len(each), *(sum(part) for part in zip(*each, strict=True)))
    return counts


def table_of_kinds():
    """Return the table of docs/project/words.md."""
    rows = [("Kind", "Pages", "Words", "In tables"), ("---",) * 4]
    counts = count_kinds()
    counts[f"all, at most {MOST:,} words"] = tuple(map(sum, zip(*counts.values(), strict=True)))
    for kind, numbers in counts.items():
        rows.append((kind.removesuffix(".md"), *(f"{number:,}" for number in numbers)))
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


if __name__ == "__main__":
    for kind in KINDS:
        for page in pages_of(kind):
            prose, table = count_words(page.read_text("utf-8"))
            print(f"{prose:7,} {table:7,}  {page.relative_to(HOME)}")
    page = HOME / "project" / "words.md"
    page.write_text(page.read_text("utf-8").partition("| Kind")[0] + table_of_kinds(), "utf-8")
    print(f"\n{table_of_kinds()}")
