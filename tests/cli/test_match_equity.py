"""``hokm-solver equity``: text, JSON and pictures."""

import json
import sys

import pytest
from click.testing import CliRunner
from goldens import check_golden

from hokm_solver.cli import main
from hokm_solver.equity import match_equity


def run(*arguments, code=0):
    result = CliRunner().invoke(main, ["equity", *arguments])
    assert result.exit_code == code, result.stderr
    return result.stdout if code == 0 else result.stderr


def test_text_and_json():
    check_golden("cli_equity.txt", run())
    answer = json.loads(run("--json"))
    assert answer == match_equity().to_json()
    check_golden("cli_equity.json", json.dumps(answer, indent=1) + "\n")


@pytest.mark.extra
@pytest.mark.parametrize("name", ["equity.png", "equity.svg"])
def test_pictures(name, tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / name
    assert run("--plot", str(path)) == run()
    first = path.read_bytes()
    assert first.startswith(b"\x89PNG") if name.endswith("png") else b"</svg>" in first
    run("--plot", str(path), "--json")
    assert path.read_bytes() == first


def test_a_picture_needs_matplotlib(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    error = run("--plot", str(tmp_path / "equity.png"), code=1)
    assert error == "error: a picture needs matplotlib: pip install 'hokm-solver[plot]'\n"
    assert not list(tmp_path.iterdir())


@pytest.mark.extra
def test_names_that_are_no_pictures(tmp_path):
    assert "equity.pdf is neither a .png nor a .svg" in run("--plot", "equity.pdf", code=2)
    pytest.importorskip("matplotlib")
    assert "No such file or directory" in run("--plot", str(tmp_path / "nowhere" / "equity.svg"), code=1)
