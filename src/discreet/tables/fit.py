"""A codec made from a sample of the records: columns coded, grouped into blocks, and the loss stated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.core.errors import SchemaError
from discreet.core.protocols import Codes
from discreet.tables.alphabet import Alphabet
from discreet.tables.block import Block, Coding, column_of, flat_cells, nearest
from discreet.tables.codec import Codec, Loss
from discreet.tables.coding import coding_of
from discreet.tables.collect import sample_of
from discreet.tables.factor import Limits, blocks_of, entropy, lost_between
from discreet.tables.naming import shown
from discreet.tables.schema import Schema, known
from discreet.tables.source import open_source

if TYPE_CHECKING:
    import pyarrow as pa

ROWS = 200_000
MOST = 1024
RARE = 20
MOVED = 0.02


def fit_codec(
    records: Any,
    schema: Schema,
    *,
    rng: np.random.Generator,
    most: int = MOST,
    rare: int = RARE,
    moved: float = MOVED,
    rows: int = ROWS,
    blocks: Sequence[Sequence[str]] | None = None,
) -> Codec:
    """The codec of these records, learned from a random sample of `rows` of them.

    Every symbol stands for `rare` records of the sample at least, so that no value or combination that belongs to a
    few is named. Public columns are grouped into blocks of at most `most` symbols, in which at most the share `moved`
    of the records is coded as a near symbol; `blocks` groups them by hand instead. What this forgets is in
    `codec.loss`.
    """
    schema.require()
    source = open_source(records)
    utility = tuple(n for n in schema.utility)
    names = tuple(dict.fromkeys((*schema.private, *schema.public, *utility)))
    schema.check(source.schema, names)
    table = sample_of(source, rows, columns=names, seed=int(rng.integers(2**63)))
    if not table.num_rows:
        raise SchemaError("a codec of some records", f"no rows in {source.name}", "give records with rows")
    codings = {n: coding_of(schema[n], column_of(table, n), rare) for n in names}
    codes = {n: c.encode(column_of(table, n))[0] for n, c in codings.items()}
    secret = block_of([codings[n] for n in schema.private], [codes[n] for n in schema.private], rare)
    _telling(secret[0], schema.private)
    groups = _groups(schema.public, codes, secret[1], Limits(most, rare, moved), blocks)
    public = [block_of([codings[n] for n in group], [codes[n] for n in group], rare) for group in groups]
    loss = Loss(
        within={n: _forgotten(column_of(table, n), codes[n], n) for n in names},
        moved=tuple(share for _, _, share in public),
        between=lost_between([symbols for _, symbols, _ in public]),
    )
    kept = block_of([codings[n] for n in utility], [codes[n] for n in utility], rare)[0] if utility else None
    return Codec(secret[0], tuple(block for block, _, _ in public), kept, schema.public, loss)


def block_of(columns: Sequence[Coding], codes: Sequence[Codes], rare: int) -> tuple[Block, Codes, float]:
    """The block of these columns, the symbols of these records, and the share of them that had to be given a near
    symbol.
    """
    sizes = [c.size for c in columns]
    flat = flat_cells(codes, sizes)
    cells, n = np.unique(flat, return_counts=True)
    often = n >= rare if len(columns) > 1 else n > 0
    if not often.any():
        often = n == n.max()
    counts = np.where(often, n, 0)
    parts = np.stack(np.unravel_index(cells, sizes), axis=1)
    strange = np.flatnonzero(~often)
    if strange.size:
        near = nearest(parts[strange], parts[often], counts[often])
        np.add.at(counts, np.flatnonzero(often)[near], n[strange])
    block = Block(tuple(columns), tuple(cells[often].tolist()), tuple(counts[often].tolist()))
    return block, block.symbols_of(flat), float(n[strange].sum() / len(flat))


def _groups(
    public: Sequence[str],
    codes: dict[str, Codes],
    secret: Codes,
    limits: Limits,
    asked: Sequence[Sequence[str]] | None,
) -> list[list[str]]:
    if asked is None:
        return [[public[j] for j in group] for group in blocks_of([codes[n] for n in public], secret, limits)]
    given = [[known(n, public) for n in group] for group in asked]
    named = [n for group in given for n in group]
    if sorted(named) != sorted(public) or len(set(named)) != len(named):
        raise SchemaError(
            "blocks that hold every public column once", shown(named), f"share out {shown(public)}"
        )
    return given


def _telling(secret: Block, private: Sequence[str]) -> None:
    """Refuse a secret with one symbol: there is nothing to hide, or nothing that could be told apart."""
    if secret.size < 2:
        raise SchemaError(
            f"a secret with two values at least: {shown(private)}",
            f"one symbol, {str(secret.axis.labels[0] if secret.axis.labels else '')[:60]!r}",
            "choose another column; values that few records share are one symbol, more bins or rare=… tell them apart",
        )


def _forgotten(column: pa.Array, symbols: Codes, name: str) -> float:
    """H(column) − H(symbol), of these records."""
    alphabet = Alphabet(name, column.type)
    return max(entropy(np.asarray(alphabet.numbers(column), dtype=np.int64)) - entropy(symbols), 0.0)
