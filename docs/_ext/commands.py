"""The commands' reference, made from the commands themselves."""

import inspect

import click
from sphinx.util.docutils import SphinxDirective

from askpoint.cli.main import main


def walk(command=main, name="askpoint", parent=None):
    """Yield the context of each command, the whole tree downwards."""
    context = click.Context(command, parent, name, **command.context_settings)
    yield context
    if isinstance(command, click.Group):
        for child in command.list_commands(context):
            yield from walk(command.get_command(context, child), child, context)


def paragraphs(text):
    """Turn a help text into reST; a paragraph after \\b keeps its lines."""
    for part in inspect.cleandoc(text).split("\n\n"):
        if part.startswith("\b"):
            lines = part.splitlines()[1:]
            yield "\n".join(["::", "", *(f"    {line}" for line in lines)])
        else:
            yield part.replace("*", "\\*").replace("`", "``")


def section(context):
    """Return the section of one command: usage, what it does, its options."""
    command, words = context.command, context.command_path
    usage = " ".join([words, *command.collect_usage_pieces(context)])
    lines = [words, "-" * len(words), "", "::", "", f"    {usage}", ""]
    for part in paragraphs(command.help or ""):
        lines += [part, ""]
    lines += [f".. program:: {words}", ""]
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if isinstance(parameter, click.Option) and record is not None:
            names = [*parameter.opts, *parameter.secondary_opts]
            flag = parameter.is_flag or parameter.count
            value = "" if flag else f" {parameter.make_metavar(context)}"
            names = ", ".join(f"{name}{value}" for name in names)
            lines += [f".. option:: {names}", "", f"   {next(paragraphs(record[1]))}", ""]
    return "\n".join(lines)


class Commands(SphinxDirective):
    """``.. commands::`` a section for each command."""

    def run(self):
        text = "\n".join(map(section, walk()))
        return self.parse_text_to_nodes(text, allow_section_headings=True)


def setup(app):
    app.add_directive("commands", Commands)
    return {"parallel_read_safe": True}
