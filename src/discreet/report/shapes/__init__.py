"""What every result looks like as JSON: the shapes that the command line writes and that pages and charts read.

A file begins with its schema, "discreet/<command>/<version>". A number that is infinite is the string "inf", one that
is undefined is null. A Reading says its unit, its side, the law it is about and its interval; nothing here is a record.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from discreet.core.errors import ParameterError
from discreet.report.shapes.audit import Audit
from discreet.report.shapes.release import Attack, Certificate, Compare, Demo, Design, Release

if TYPE_CHECKING:
    from pydantic import TypeAdapter

SHAPES: dict[str, type[Any]] = {
    "discreet/audit/1": Audit,
    "discreet/attack/1": Attack,
    "discreet/design/1": Design,
    "discreet/release/1": Release,
    "discreet/certificate/1": Certificate,
    "discreet/compare/1": Compare,
    "discreet/demo/2": Demo,
}


def checked(result: Mapping[str, Any]) -> dict[str, Any]:
    """The result, if it has the shape that its schema promises; fields that a shape does not know are refused."""
    schema = result.get("schema")
    if schema not in SHAPES:
        raise ParameterError(
            f"a result with one of the schemas {', '.join(SHAPES)}",
            f"schema = {schema!r}",
            "give the JSON that a discreet command wrote with --json, as it is",
        )
    from pydantic import ValidationError

    try:
        return cast(
            dict[str, Any], _adapter(cast(str, schema)).validate_json(json.dumps(result), strict=True)
        )
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ParameterError(
            f"a result of the shape {schema}",
            f"{error.error_count()} places that differ, the first {where}: {first['msg'].lower()}",
            "make the result again with this version of discreet",
        ) from None


@cache
def _adapter(schema: str) -> TypeAdapter[Any]:
    from pydantic import ConfigDict, TypeAdapter

    shape = SHAPES[schema]
    shape.__pydantic_config__ = ConfigDict(extra="forbid", allow_inf_nan=False, title=schema)
    return TypeAdapter(shape)
