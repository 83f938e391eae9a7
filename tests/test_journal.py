"""Output that can be continued: whatever was cut off, the file ends up as if nothing had happened."""

import errno
import json
import os
import sys

import pytest

from hokm_solver.errors import JournalError
from hokm_solver.journal import LONGEST_ANSWER, Journal, digest

QUESTIONS = ["one", "two", "three", "four"]


def reply(question):
    return {"schema": "hokm-solver/test/1", "to": question, "length": len(question)}


def fits(question, answer):
    return answer.get("to") == question


def run(path, questions=QUESTIONS, stop_after=None):
    """Answer what is unanswered; returns the questions that were worked on."""
    worked = []
    with Journal(path) as journal:
        for question in journal.unanswered(questions, fits):
            if len(worked) == stop_after:
                break
            journal.append(reply(question))
            worked.append(question)
    return worked


def whole(questions=QUESTIONS):
    return "".join(json.dumps(reply(question)) + "\n" for question in questions).encode()


def test_a_new_file_gets_every_answer(tmp_path):
    assert run(tmp_path / "out") == QUESTIONS
    assert (tmp_path / "out").read_bytes() == whole()


def test_a_finished_file_stays_as_it_is(tmp_path):
    run(tmp_path / "out")
    assert run(tmp_path / "out") == []
    assert (tmp_path / "out").read_bytes() == whole()


def test_an_unfinished_file_is_continued(tmp_path):
    assert run(tmp_path / "out", stop_after=2) == ["one", "two"]
    assert run(tmp_path / "out") == ["three", "four"]
    assert (tmp_path / "out").read_bytes() == whole()


def test_cut_off_at_any_byte(tmp_path):
    path, full = tmp_path / "out", whole()
    for length in range(len(full)):
        path.write_bytes(full[:length])
        done = full[:length].count(b"\n")
        assert run(path) == QUESTIONS[done:]
        assert path.read_bytes() == full


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (whole(["one", "three"]), "its line 2 does not answer the question asked there"),
        (whole([*QUESTIONS, "five"]), "it has more than the 4 answers asked for"),
        (b"my notes\n", "its line 1 is no answer"),
        (b"[1]\n", "its line 1 is no answer"),
        (b"\xff\xfe\n", "its line 1 is no answer"),
        (b"my notes without an end", "it ends in something that is no answer"),
        (whole(["one"]) + b"[" * 100_000 + b"\n", "its line 2 is no answer"),
        (whole(["one"]) + b"null\n", "its line 2 is no answer"),
        (b'{"schema": "hokm-solver/' + b"x" * LONGEST_ANSWER, "it ends in something that is no answer"),
        (b'{"my": "settings"}', "its line 1 does not answer the question asked there"),
        (b'{"format": "hokm-record", "hakem": "N"}', "its line 1 does not answer the question asked there"),
        (whole(["one", "three"]).rstrip(), "its line 2 does not answer the question asked there"),
        (whole([*QUESTIONS, "five"]).rstrip(), "it has more than the 4 answers asked for"),
    ],
)
def test_a_foreign_file_is_refused_and_left_alone(tmp_path, content, message):
    path = tmp_path / "out"
    path.write_bytes(content)
    with pytest.raises(JournalError, match=message) as caught:
        run(path)
    assert str(path) in str(caught.value)
    assert path.read_bytes() == content


def test_a_torn_line_behind_the_last_answer_is_dropped(tmp_path):
    path = tmp_path / "out"
    path.write_bytes(whole() + whole(["five"])[:20])
    assert run(path) == []
    assert path.read_bytes() == whole()


def test_failures_among_the_old_answers_are_remembered(tmp_path):
    path = tmp_path / "out"
    path.write_text('{"line": 1, "error": {"code": "bad_json", "message": "no"}}\n')
    with Journal(path) as journal:
        assert list(journal.unanswered(["bad", "good"], lambda question, answer: question == "bad")) == ["good"]
        assert journal.failed


def test_every_answer_is_on_the_disk_at_once(tmp_path):
    path = tmp_path / "out"
    with Journal(path) as journal:
        for count, question in enumerate(journal.unanswered(QUESTIONS, fits), start=1):
            journal.append(reply(question))
            assert path.read_bytes().count(b"\n") == count


def test_questions_are_read_only_as_they_are_needed(tmp_path):
    def endless():
        yield from QUESTIONS
        raise AssertionError("read too far")

    assert run(tmp_path / "out", endless(), stop_after=3) == QUESTIONS[:3]


@pytest.mark.skipif(sys.platform == "win32", reason="devices and pipes of POSIX")
def test_what_is_no_regular_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in ("/dev/null", "/dev/zero", "/dev/full", tmp_path / "pipe"):
        with pytest.raises(JournalError, match="no regular file") as caught:
            Journal(path)
        assert str(path) in str(caught.value)


def test_a_full_disk_is_told_with_the_name_of_the_file(tmp_path, monkeypatch):
    class Full:
        def write(self, data):
            raise OSError(errno.ENOSPC, "No space left on device")

        def close(self):
            pass

    with Journal(tmp_path / "out") as journal:
        monkeypatch.setattr(journal, "_file", Full())
        with pytest.raises(OSError, match="out"):
            journal.append({})


def test_digests_differ_where_questions_do():
    asked = [{"a": 1, "b": 2}, {"a": 1, "b": 3}, ["a", 1], [None], [], "", "1", 1]
    assert len({digest(each) for each in asked}) == len(asked)
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
