"""Schemas: guessed, shown, corrected, checked."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from discreet.core.errors import SchemaError
from discreet.tables.guess import guess_schema
from discreet.tables.schema import Field, Kind, Role, Schema
from discreet.tables.schema_text import json_of, schema_of, schema_of_toml, toml_of

N = 200

PEOPLE = pa.table(
    {
        "person_id": [f"p{i:05}" for i in range(N)],
        "row": pa.array(range(N)),
        "age": pa.array([20 + i % 60 for i in range(N)]),
        "children": pa.array([i % 4 for i in range(N)]),
        "weight": pa.array([50 + 0.5 * (i % 97) for i in range(N)]),
        "smokes": pa.array([bool(i % 2) for i in range(N)]),
        "born": pa.array([dt.date(1950 + i % 60, 1, 1) for i in range(N)]),
        "city": pa.array([None if i % 10 == 0 else f"city {i % 30}" for i in range(N)]),
        "diary": pa.array([f"dear diary, today is day number {i} of a long story" for i in range(N)]),
        "grade": pa.array([i % 3 for i in range(N)]).cast(pa.string()).dictionary_encode(),
        "empty": pa.nulls(N),
        "list": pa.array([[i] for i in range(N)]),
        "income": pa.array(["low", "high"] * (N // 2)),
    }
)


def test_kinds_and_roles_are_guessed() -> None:
    schema = guess_schema(PEOPLE, private="income")
    assert {f.name: (str(f.role), str(f.kind)) for f in schema} == {
        "person_id": ("id", "text"),
        "row": ("id", "number"),
        "age": ("public", "number"),
        "children": ("public", "ordered"),
        "weight": ("public", "number"),
        "smokes": ("public", "boolean"),
        "born": ("public", "date"),
        "city": ("public", "category"),
        "diary": ("drop", "text"),
        "grade": ("public", "category"),
        "empty": ("public", "category"),
        "list": ("drop", "text"),
        "income": ("private", "category"),
    }
    assert (schema["city"].missing, schema["city"].distinct, schema["city"].rows) == (20, 27, N)
    assert schema.public == ("age", "children", "weight", "smokes", "born", "city", "grade", "empty")


def test_named_columns_have_the_role_they_are_named_for() -> None:
    schema = guess_schema(PEOPLE, private=["income"], public=["age", "city"], utility="grade", id="row")
    assert schema.public == ("age", "city")
    assert schema.utility == ("grade",)
    assert schema["grade"].role is Role.UTILITY
    assert schema.id == ("person_id", "row")
    assert schema["smokes"].role is Role.DROP
    released = guess_schema(PEOPLE, private="income", utility="grade")
    assert "grade" in released.public
    assert released.utility == ("grade",)


def test_a_column_has_one_purpose() -> None:
    with pytest.raises(SchemaError, match="already"):
        guess_schema(PEOPLE, private="income", public=["income", "age"])
    with pytest.raises(SchemaError, match="already"):
        guess_schema(PEOPLE, private="income", utility="income")


@pytest.mark.parametrize("wrong", ["Income", "incme", " income", "INCOME"])
def test_a_misspelt_name_is_corrected(wrong: str) -> None:
    with pytest.raises(SchemaError, match="did you mean 'income'"):
        guess_schema(PEOPLE, private=wrong)


def test_something_to_hide_and_something_to_give() -> None:
    with pytest.raises(SchemaError, match="private column"):
        guess_schema(PEOPLE).require()
    with pytest.raises(SchemaError, match="public column"):
        guess_schema(PEOPLE.select(["income"]), private="income").require()


def test_it_survives_toml_and_json() -> None:
    schema = guess_schema(PEOPLE, private="income", drop=["list"], utility="grade")
    assert schema_of_toml(toml_of(schema)) == schema
    assert schema_of(json_of(schema)) == schema
    odd = Schema(
        (
            Field(
                'a "b"\n\x00\u202e=#[x]',
                Role.PUBLIC,
                Kind.ORDERED,
                "string",
                levels=("x\ty", '"', "\\", "\x7f😀"),
            ),
            Field("", Role.PRIVATE, Kind.NUMBER, "double", cuts=(-1.5, 0.1, 1e300)),
            Field("born", Role.PUBLIC, Kind.DATE, "date32[day]", cuts=("1950-01-01", "1980-06-30")),
            Field("n", Role.UTILITY, Kind.NUMBER, "int64", bins=3, binning="width", kept=True),
        )
    )
    assert schema_of_toml(toml_of(odd)) == odd
    assert schema_of(json_of(odd)) == odd


def test_toml_may_leave_out_what_is_usual() -> None:
    schema = schema_of_toml('version = 1\n[columns.age]\nrole = "public"\nkind = "number"\ntype = "int64"\n')
    assert schema["age"] == Field("age", Role.PUBLIC, Kind.NUMBER, "int64")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("version = 1\n[columns.a]\nrole = 'privat'\nkind = 'text'", "role"),
        ("version = 1\n[columns.a]\nrole = 'private'\nkin = 'text'", "did you mean 'kind'"),
        ("version = 1\n[columns.a]\nkind = 'text'", "lacking: 'role'"),
        ("version = 2\n[columns.a]\nrole = 'private'\nkind = 'text'", "version"),
        ("[columns.a]\nrole = 'private'\nkind = 'text'", "lacking: 'version'"),
        ("version = 1\n[columns.a]\nrole = 'public'\nkind = 'number'\ntype='double'\ncuts = [2, 1]", "rise"),
        ("version = 1\n[columns.a]\nrole = 'public'\nkind = 'number'\ntype='double'\nbins = 0", "bins"),
        ("version = 1\n[columns.a]\nrole = 'public'\nkind = 'number'\ntype='double'\nbins = -1", "bins"),
        (
            "version = 1\n[columns.a]\nrole = 'public'\nkind = 'date'\ntype='date32[day]'\ncuts = ['soon']",
            "border",
        ),
        ("version = 1\n[columns.a]\nrole = 'public'\nkind = 'text'\ntype='struct<a: int8>'", "type"),
        ("version = 1\ncolumns = 3", "sections"),
        ("version = 1\n[columns]\na = 3", "sections"),
        ("version = 1\nversion = 2", "TOML"),
        ("[[[", "TOML"),
    ],
)
def test_a_wrong_schema_says_where(text: str, says: str) -> None:
    with pytest.raises(SchemaError) as refused:
        schema_of_toml(text)
    assert says in str(refused.value)


def test_records_of_another_nature_are_refused() -> None:
    schema = guess_schema(PEOPLE, private="income")
    names = (*schema.private, *schema.public)
    schema.check(PEOPLE.schema, names)
    schema.check(PEOPLE.set_column(2, "age", PEOPLE["age"].cast("int8")).schema, names)
    with pytest.raises(SchemaError, match="age"):
        schema.check(PEOPLE.set_column(2, "age", PEOPLE["age"].cast("string")).schema, names)
    with pytest.raises(SchemaError, match="'city'"):
        schema.check(PEOPLE.drop_columns(["city"]).schema, names)


def test_names_may_not_repeat() -> None:
    one = Field("a", Role.PUBLIC, Kind.TEXT, "string")
    with pytest.raises(SchemaError, match="more than once"):
        Schema((one, one))


def test_a_guess_is_shown() -> None:
    text = str(guess_schema(PEOPLE.select(["age", "income"]), private="income"))
    assert text.splitlines()[0].split()[:3] == ["age", "public", "number"]


def test_roles_are_changed_by_name() -> None:
    schema = guess_schema(PEOPLE, private="income").with_roles(private=["smokes"], drop=["diary"])
    assert schema.private == ("smokes", "income")
    with pytest.raises(SchemaError, match="did you mean"):
        schema.with_roles(drop=["diari"])


def test_ten_thousand_columns_are_looked_at() -> None:
    wide = pa.table({f"c{j}": np.arange(3) for j in range(10_000)})
    schema = guess_schema(wide, private="c0")
    assert len(schema) == 10_000
    schema.check(wide.schema, schema.names)
    assert len(schema_of_toml(toml_of(schema))) == 10_000


def test_a_real_survey(adult: Path) -> None:
    schema = guess_schema(adult, private="income")
    assert schema["age"].kind is Kind.NUMBER
    assert schema["education_num"].kind is Kind.ORDERED
    assert schema["occupation"].missing == 2809
    assert schema.named(Role.ID) == schema.named(Role.DROP) == ()
