"""Key files: made once, whole, owner-only, and bound to the rows that they serve."""

import threading

import numpy as np
import pytest

from discreet.core.errors import SecretKeyError
from discreet.tables.keys import Fingerprint, KeyFile, state_folder
from discreet.tables.keystream import Key

DIGEST, OTHER = "a" * 64, "b" * 64


def test_a_key_is_made_once_and_for_its_owner_only(tmp_path):
    path = tmp_path / "state" / "one.key"
    first, second = KeyFile.at(path), KeyFile.at(path)
    assert first.key == second.key
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert [p.name for p in path.parent.iterdir()] == ["one.key"]


def test_many_at_once_get_the_same_key(tmp_path):
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(KeyFile.at(tmp_path / "k").key)) for _ in range(20)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 20
    assert len({key.secret for key in found}) == 1


def test_the_key_of_a_policy_lies_in_the_state_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("DISCREET_HOME", str(tmp_path / "home"))
    assert KeyFile.of_policy(DIGEST).path == tmp_path / "home" / "keys" / f"{DIGEST}.key"
    assert KeyFile.of_policy(DIGEST).key != KeyFile.of_policy(OTHER).key
    monkeypatch.delenv("DISCREET_HOME")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert state_folder() == tmp_path / "state" / "discreet"


def test_a_key_that_others_can_read_is_refused(tmp_path):
    path = tmp_path / "k"
    KeyFile.at(path)
    path.chmod(0o640)
    with pytest.raises(SecretKeyError, match="chmod 600"):
        KeyFile.at(path)


@pytest.mark.parametrize(
    "text", ["", "secret", "discreet secret key 1: 12", "\xff\xfe", "discreet secret key 2: " + "0" * 64]
)
def test_what_is_no_key_is_refused(tmp_path, text):
    path = tmp_path / "k"
    path.write_text(text, encoding="latin-1")
    path.chmod(0o600)
    with pytest.raises(SecretKeyError, match="a secret key in"):
        KeyFile.at(path)


def test_a_place_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(SecretKeyError, match="--key FILE"):
        KeyFile.at(tmp_path / "file" / "k")
    with pytest.raises(SecretKeyError):
        KeyFile.at(tmp_path)


def test_a_key_serves_one_input_by_position_and_others_are_refused(tmp_path):
    file = KeyFile.at(tmp_path / "k")
    file.bind(DIGEST, "1" * 64, 10)
    file.bind(DIGEST, "1" * 64, 10)
    KeyFile.at(tmp_path / "k").bind(OTHER, "2" * 64, 5)
    for fingerprint, rows in (("2" * 64, 10), ("1" * 64, 11)):
        with pytest.raises(SecretKeyError, match=r"other rows(.|\n)*id column"):
            KeyFile.at(tmp_path / "k").bind(DIGEST, fingerprint, rows)
    assert KeyFile.at(tmp_path / "k").key == file.key
    assert (tmp_path / "k").read_text().count("by position") == 2


def test_a_line_that_was_broken_off_does_not_bind(tmp_path):
    file = KeyFile.at(tmp_path / "k")
    with file.path.open("a") as out:
        out.write(f"policy {DIGEST} by pos")
    file.bind(DIGEST, "1" * 64, 10)
    assert file.bound(DIGEST) == ("1" * 64, 10)


def test_two_programs_cannot_both_win(tmp_path):
    file = KeyFile.at(tmp_path / "k")
    won = []

    def race(mark):
        try:
            KeyFile.at(tmp_path / "k").bind(DIGEST, mark * 64, 1)
            won.append(mark)
        except SecretKeyError:
            pass

    threads = [threading.Thread(target=race, args=(f"{i:x}",)) for i in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1
    assert file.bound(DIGEST) == (won[0] * 64, 1)


def test_a_fingerprint_is_of_what_is_read_and_of_the_key():
    made = Fingerprint(Key.of_seed(1), DIGEST)
    a, b = np.arange(5, dtype=np.uint8), np.arange(6, dtype=np.float64).reshape(3, 2)
    assert made.of_block([a, b]) == made.of_block([a.copy(), np.asfortranarray(b)])
    others = [
        made.of_block([b, a]),
        made.of_block([a.astype(np.uint16), b]),
        made.of_block([a[::-1], b]),
        made.of_block([a, b.T]),
        Fingerprint(Key.of_seed(2), DIGEST).of_block([a, b]),
        Fingerprint(Key.of_seed(1), OTHER).of_block([a, b]),
    ]
    assert len({*others, made.of_block([a, b])}) == 7
    assert made.of_all(["x", "y"]) != made.of_all(["y", "x"])
