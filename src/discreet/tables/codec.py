"""Rows ↔ finite symbols: what is kept of a design's view of the records. It goes into the policy file, as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from discreet.core.protocols import Codes, Words
from discreet.tables.block import Block, Coded

if TYPE_CHECKING:
    import pyarrow as pa


class Loss(NamedTuple):
    """What coding forgets, in nats, of the records the codec was made from.

    `within[column]` is H(column) − H(its symbol): what bins and the grouping of rare levels forget.
    `moved` is the share of rows whose combination was too rare to have a symbol, by block.
    `between` is Σ H(block) − H(all blocks): what the blocks tell about each other, which releasing them apart forgets.
    """

    within: dict[str, float]
    moved: tuple[float, ...]
    between: float


class CodedRows(NamedTuple):
    """The symbols of some rows: of the secret, symbols[row, block] of the public part, of the utility; and what was
    new.
    """

    s: Codes | None
    x: Codes
    u: Codes | None
    surprises: dict[str, int]


@dataclass(frozen=True)
class Codec:
    """The secret as one symbol, the public columns as one symbol a block, and the utility as one where it is asked for.

    `order` are the public columns as they are released. `loss` says what the symbols forget.
    """

    secret: Block
    public: tuple[Block, ...]
    utility: Block | None
    order: tuple[str, ...]
    loss: Loss

    @property
    def words(self) -> int:
        """How many random words a row takes to be decoded."""
        return sum(block.words for block in self.public)

    @property
    def columns(self) -> tuple[str, ...]:
        """The public columns, which are what has to be read."""
        return self.order

    def encode(
        self, batch: pa.RecordBatch | pa.Table, *, secret: bool = True, utility: bool = True
    ) -> CodedRows:
        """The symbols of these rows."""
        surprises: dict[str, int] = {}

        def symbols(block: Block | None, asked: bool) -> Codes | None:
            if block is None or not asked:
                return None
            found: Coded = block.encode(batch)
            surprises.update(found.surprises)
            return found.symbols

        public = [block.encode(batch) for block in self.public]
        for one in public:
            surprises.update(one.surprises)
        x = np.stack([one.symbols for one in public], axis=1)
        return CodedRows(symbols(self.secret, secret), x, symbols(self.utility, utility), surprises)

    def decode(self, x: Codes, words: Words, *, encoded: bool = False) -> pa.RecordBatch:
        """A row for each x[row, block]: the public columns in their order and types."""
        import pyarrow as pa

        made: dict[str, pa.Array] = {}
        used = 0
        for b, block in enumerate(self.public):
            arrays = block.decode(x[:, b], words[:, used : used + block.words], encoded=encoded)
            made.update(zip(block.names, arrays, strict=True))
            used += block.words
        return pa.RecordBatch.from_arrays([made[name] for name in self.order], names=list(self.order))

    def labelled(self, x: Codes) -> pa.RecordBatch:
        """A row of labels for each x[row, block]."""
        import pyarrow as pa

        made: dict[str, pa.Array] = {}
        for b, block in enumerate(self.public):
            made.update(zip(block.names, block.labelled(x[:, b]), strict=True))
        return pa.RecordBatch.from_arrays([made[name] for name in self.order], names=list(self.order))

    def to_json(self) -> dict[str, Any]:
        """As JSON can hold it; `codec_json.codec_of` reads it."""
        return {
            "version": 1,
            "secret": self.secret.to_json(),
            "public": [block.to_json() for block in self.public],
            "utility": None if self.utility is None else self.utility.to_json(),
            "order": list(self.order),
            "loss": {
                "within": dict(self.loss.within),
                "moved": list(self.loss.moved),
                "between": self.loss.between,
            },
        }
