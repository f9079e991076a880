"""The page of the command line, made from the commands themselves: what each does, its example, its options."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

OPENING = """% Made by docs/_ext/commands.py from the code. Changes go there.

# The command line

Every command has `--help`. With `--json` a result is one JSON object whose `schema` is `discreet/<command>/<version>`;
the rest goes to standard error. Lists are commas, or the option repeated where a name has a comma in it.

| exit code | is |
|---|---|
| 0 | fine |
| 1 | a leak over the stated limit, or a release that collapsed or got worse |
| 2 | usage: an option or a column that does not exist |
| 3 | a problem with the data or a file; also a certificate that does not agree |
| 4 | a fault of the program |
| 130 | stopped by Ctrl-C |

"""


def page(app: Any) -> str:
    import typer

    command = typer.main.get_command(app)
    return OPENING + "".join(section(name, one) for name, one in command.commands.items())


def section(name: str, command: Any) -> str:
    what, _, example = (command.help or "").partition("Example:")
    rows = "".join(f"| {' | '.join(cells)} |\n" for cells in options(command.params))
    return (
        f"## discreet {name}\n\n{' '.join(what.split())}\n\n```sh\n{' '.join(example.split()).strip('`')}\n```\n\n"
        f"| | | |\n|---|---|---|\n{rows}\n"
    )


def options(parameters: Iterable[Any]) -> Iterator[tuple[str, str, str]]:
    for one in parameters:
        if one.name == "help":
            continue
        named = one.param_type_name == "option"
        called = (
            ", ".join(f"`{n}`" for n in (*one.opts, *one.secondary_opts))
            if named
            else f"`{one.name.upper()}`"
        )
        default = (
            one.default
            if isinstance(one.default, str | int | float | Path) and one.default is not False
            else ""
        )
        told = "needed" if one.required else f"`{default}`" if str(default) else ""
        yield called, " ".join((one.help or "").split()).replace("|", r"\|"), told


def write(app: Sphinx) -> None:
    from discreet.cli import app as commands

    path = Path(app.srcdir) / "_generated" / "cli.md"
    path.parent.mkdir(exist_ok=True)
    made = page(commands)
    if not path.exists() or path.read_text(encoding="utf-8") != made:
        path.write_text(made, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
