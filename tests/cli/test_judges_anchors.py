"""`askpoint judges --anchor`: items that are judged again."""

from __future__ import annotations


def test_a_judge_who_changed_on_the_same_items_is_named(shell):
    items = [f"t{i}" for i in range(40)]
    head = "task,ann,bob,cy\n"
    old = shell.write("old.csv", head + "".join(f"{t},x,x,y\n" for t in items))
    new = shell.write(
        "new.csv",
        head + "".join(f"{t},{'y' if i < 15 else 'x'},x,y\n" for i, t in enumerate(items)),
    )
    content = shell.json("judges", new, "--anchor", old)
    assert content["anchors"]["ann"]["gained"] == 15
    assert content["anchors"]["ann"]["p_value"] < 0.001
    assert content["anchors"]["bob"]["p_value"] == 1
    said = " ".join(shell.said("judges", new, "--anchor", old).split())
    assert "ann changed: of 40 items judged again 15 became y and 0 ceased to be" in said
    quiet = " ".join(shell.said("judges", new, "--anchor", new).split())
    assert "none of 3 judges changed for sure" in quiet


def test_anchors_without_a_common_item_are_refused(shell):
    old = shell.write("old.csv", "task,ann,bob,cy\na,x,y,y\nb,y,x,x\n")
    new = shell.write("new.csv", "task,ann,bob,cy\nc,x,y,y\nd,y,x,x\n")
    assert "no item of the anchor file" in shell.refusal("judges", new, "--anchor", old)
