"""What is named in a picture, beside what it names or in the legend."""


def named(ax):
    """Return the names that a reader sees."""
    legend = ax.get_legend()
    told = [] if legend is None else legend.get_texts()
    return [text.get_text() for text in (*ax.texts, *told)]
