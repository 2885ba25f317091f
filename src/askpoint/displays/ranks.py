"""Critical-difference diagram: mean ranks over data sets, and what cannot be told apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes

from askpoint.displays.base import Display
from askpoint.displays.theme import Theme
from askpoint.value.ranking import ModelRanking, rank_models

__all__ = ["RanksDisplay"]


@dataclass
class RanksDisplay(Display):
    """Mean ranks of classifiers on one axis; bars join those that do not differ significantly.

    Parameters
    ----------
    ranking : Ranking
        The classifiers, tested.
    level : float, default=0.05
        Significance of each pair, adjusted for all pairs (Shaffer).

    References
    ----------
    Demsar, Journal of Machine Learning Research 7 (2006).

    Examples
    --------
    >>> from askpoint.displays.ranks import RanksDisplay
    >>> display = RanksDisplay.from_scores([[0.9, 0.8], [0.8, 0.7], [0.9, 0.7]], ["a", "b"])
    >>> display.ax_.get_xlabel()
    'mean rank'
    """

    ranking: ModelRanking
    level: float = 0.05

    @classmethod
    def from_scores(
        cls, scores: Any, names: Any, *, level: float = 0.05, ax: Axes | None = None
    ) -> RanksDisplay:
        """Draw from the scores of classifiers on several data sets.

        Parameters
        ----------
        scores : array-like of shape (n_sets, k)
            More is better.
        names : sequence of str
            Of the classifiers.
        level : float, default=0.05
            Significance.
        ax : matplotlib axes, optional
            Where to draw; by default a new figure.

        Returns
        -------
        RanksDisplay
        """
        return cls(rank_models(scores, names), level).plot(ax)

    def _draw(self, ax: Axes, theme: Theme) -> None:
        names, ranks = self.ranking.names, self.ranking.mean_ranks.tolist()
        k = len(names)
        groups = self.ranking.groups(self.level)
        depth = 0.35 * (len(groups) + 1)  # the names stand below the bars
        for i, (name, rank) in enumerate(zip(names, ranks, strict=True)):
            left = i < (k + 1) // 2
            line = -depth - 0.6 * (i if left else k - 1 - i)
            self._name(theme, f"{name}  {rank:.2f}", rank, line, 1.0 if left else float(k))
        for i, group in enumerate(groups):
            ends = [ranks[names.index(name)] for name in (group[0], group[-1])]
            ax.plot(
                [ends[0] - 0.03, ends[1] + 0.03],
                [-0.35 * (i + 1)] * 2,
                color=theme.accent,
                linewidth=4,
                solid_capstyle="butt",
            )
        test = self.ranking.test
        ax.set_title(
            f"{self.ranking.n_sets} data sets, p = {test.p_value:.2g} for any difference;\n"
            f"bars join what does not differ at {self.level:g}",
            fontsize=9,
            fontweight="normal",
        )
        lowest = -depth - 0.6 * ((k + 1) // 2)
        ax.set(xlim=(1 - 0.5 * k / 2, k + 0.5 * k / 2), ylim=(lowest, 0), xlabel="mean rank")
        ax.set_xticks(range(1, k + 1))
        ax.set_yticks([])
        ax.xaxis.tick_top()
        ax.xaxis.set_label_position("top")
        ax.grid(visible=False)
        ax.spines["left"].set_visible(False)
        ax.spines["bottom"].set_visible(False)
        ax.spines["top"].set_visible(True)
        ax.spines["top"].set_bounds(1, k)

    def _name(self, theme: Theme, text: str, rank: float, line: float, side: float) -> None:
        end = side - 0.12 if side == 1 else side + 0.12
        self.ax_.plot([rank, rank, end], [0, line, line], color=theme.muted, linewidth=0.9)
        self.ax_.text(
            end,
            line,
            f"{text} " if side == 1 else f" {text}",
            color=theme.ink,
            ha="right" if side == 1 else "left",
            va="center",
            fontsize=9,
        )
