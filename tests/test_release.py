"""What .ci/release refuses. That it works is shown by its dry run, which .ci/run makes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
VERSION = "1.2.3"
pytestmark = pytest.mark.skipif(not (shutil.which("git") and shutil.which("bash")), reason="needs git and bash")


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """A repository with just what a release reads before it builds; on the branch main, one commit."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "release", tmp_path / ".ci")
    (tmp_path / "pyproject.toml").write_text(f'version = "{VERSION}.dev0"\n', encoding="utf-8")
    (tmp_path / "CHANGELOG.md").write_text(f"# Changes\n\n## Unreleased ({VERSION})\n\nMuch.\n", encoding="utf-8")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "checkout", "--quiet", "-b", "main")
    commit(tmp_path)
    return tmp_path


def git(place, *words):
    identity = ["-c", "user.name=tester", "-c", "user.email=tester@localhost"]
    done = subprocess.run(["git", *identity, *words], cwd=place, capture_output=True, encoding="utf-8", check=True)
    return done.stdout.strip()


def commit(place):
    git(place, "add", "--all")
    git(place, "commit", "--quiet", "-m", "a step")


def release(place, *words):
    environment = os.environ | {"PYTHON": sys.executable}
    command = ["bash", str(place / ".ci" / "release"), *words]
    done = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert done.returncode != 0
    return done.stderr


def refusal(place, *words):
    message = release(place, "--ci-passed", git(place, "rev-parse", "HEAD"), *words)
    assert git(place, "diff") == "" or "not committed" in message
    return message


@pytest.mark.parametrize("words", [[], ["--ci-passed"], ["--publish"], ["--dry-run", "1.2.3", "1.2.4"]])
def test_usage(clone, words):
    assert ".ci/release --ci-passed COMMIT" in release(clone, *words)


def test_changes_that_are_not_committed(clone):
    (clone / "new.py").touch()
    assert "not committed" in refusal(clone)


def test_another_branch(clone):
    git(clone, "checkout", "--quiet", "-b", "other")
    assert "not the branch main" in refusal(clone)


def test_another_commit_than_the_one_that_was_checked(clone):
    checked = git(clone, "rev-parse", "HEAD")
    (clone / "new.py").touch()
    commit(clone)
    assert f".ci/run passed on {checked}" in release(clone, "--ci-passed", checked)
    assert ".ci/run passed on nothing" in release(clone, "--ci-passed", "nothing")


@pytest.mark.parametrize("version", ["1.2", "1.2.3.dev1", "v1.2.3"])
def test_a_version_that_is_none(clone, version):
    assert f"{version} is not a version" in refusal(clone, version)


def test_a_tag_that_is_there(clone):
    git(clone, "tag", f"v{VERSION}")
    assert f"there is a tag v{VERSION} already" in refusal(clone)


def test_changes_that_do_not_name_the_version(clone):
    assert "no heading: ## Unreleased (1.3.0)" in refusal(clone, "1.3.0")
