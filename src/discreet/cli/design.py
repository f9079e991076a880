"""`discreet design`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from discreet.cli.frame import OVER_THE_LIMIT, names, say, show, told, waiting

if TYPE_CHECKING:
    from discreet.tables.protocols import Source
    from discreet.tables.schema import Schema
    from discreet.workflow.policy import Policy


@told
def design(
    records: Annotated[str, typer.Argument(help="A file, a folder, `-`, or the address of a table.")],
    private: Annotated[list[str] | None, typer.Option(help="Columns to hide; commas, or repeated.")] = None,
    public: Annotated[
        list[str] | None, typer.Option(help="Columns to release; all that are left if not given.")
    ] = None,
    utility: Annotated[
        list[str] | None, typer.Option(help="Columns that the release has to tell about.")
    ] = None,
    id_column: Annotated[
        list[str] | None, typer.Option("--id", help="Columns that tell records apart; not released.")
    ] = None,
    drop: Annotated[list[str] | None, typer.Option(help="Columns to leave out.")] = None,
    leak: Annotated[float | None, typer.Option(help="At most so many nats about the secret.")] = None,
    attacker_at_most: Annotated[
        float | None, typer.Option(help="An attacker right at most so often, 0 to 1.")
    ] = None,
    keep: Annotated[
        float | None, typer.Option(help="At least this share kept, 0 to 1, of the columns or the utility.")
    ] = None,
    mechanism: Annotated[str, typer.Option(help="How: funnel, greedy_funnel, watchdog, …")] = "funnel",
    symbols: Annotated[int, typer.Option(help="Symbols of a block of columns, at most.")] = 128,
    labels: Annotated[bool, typer.Option("--labels", help='Release labels such as "30 to 39".')] = False,
    columns: Annotated[Path | None, typer.Option(help="A TOML file that describes the columns.")] = None,
    save_columns: Annotated[
        Path | None, typer.Option(help="Write the columns as understood, as TOML.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="For the split and the search; not for the release.")
    ] = None,
    out: Annotated[Path, typer.Option("--out", "-o", help="The policy to write.")] = Path("public.policy"),
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the columns as understood, and stop.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Design a release of some columns that tells little about others, and save it as a policy.

    Example: `discreet design people.parquet --private income --public age,sex,education --leak 0.02 -o public.policy`
    """
    import numpy as np

    from discreet.tables.source import open_source
    from discreet.workflow.design import design as run

    source = open_source(records)
    asked = {"private": private, "public": public, "utility": utility, "id": id_column, "drop": drop}
    schema = _schema(
        source, columns, {role: names(given, source.schema.names) for role, given in asked.items()}
    )
    if save_columns is not None:
        _save(schema, save_columns)
    if dry_run:
        _show_schema(schema, source, as_json=json)
        return
    with waiting("designing"):
        policy = run(
            source, schema=schema, mechanism=mechanism, leak=leak, keep=keep, attacker_at_most=attacker_at_most,
            labels=labels, symbols=symbols, rng=np.random.default_rng(seed),
        )  # fmt: skip
    policy.save(out)
    _show(policy, out, as_json=json)
    if policy.collapsed or not policy.design.limit.met:
        raise typer.Exit(OVER_THE_LIMIT)


def _schema(source: Source, columns: Path | None, asked: dict[str, list[str]]) -> Schema:
    from discreet.tables.guess import guess_schema
    from discreet.tables.schema_text import schema_of_toml

    if columns is None:
        return guess_schema(
            source, private=asked["private"], public=asked["public"] or None, utility=asked["utility"],
            id=asked["id"], drop=asked["drop"],
        )  # fmt: skip
    return schema_of_toml(columns.read_text(encoding="utf-8")).with_roles(
        **{role: given for role, given in asked.items() if given}
    )


def _save(schema: Schema, path: Path) -> None:
    from discreet.tables.safe import write_whole
    from discreet.tables.schema_text import toml_of

    write_whole(path, toml_of(schema).encode())


def _show_schema(schema: Schema, source: Source, *, as_json: bool) -> None:
    from discreet.tables.schema_text import json_of

    if as_json:
        show(
            {"schema": "discreet/design/1", "dry_run": True, "rows": source.rows, "columns": json_of(schema)}
        )
    else:
        print(schema)
        print(f"\n{source.rows or 'an unknown number of'} rows; nothing was designed")


def _show(policy: Policy, out: Path, *, as_json: bool) -> None:
    if as_json:
        show(policy.to_json("discreet/design/1"))
        return
    print(policy.design.limit.sentence)
    for name, reading in (policy.design.leakage | policy.design.utility).items():  # type: ignore[operator]
        print(f"  {name}: {reading!r}")
    for warning in policy.design.warnings:
        say(f"note: {warning}")
    print(f"policy {policy.digest[:16]} in {out}")
