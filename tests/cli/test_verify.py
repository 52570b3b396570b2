"""``dpdesigner verify``: tables of ours, tables of others, and what is wrong with them."""

from __future__ import annotations

import json

import numpy as np
import pytest
from cli.shipped import PAPER
from scipy.optimize import linprog


def test_verify(run, tmp_path):
    run("export", PAPER, "--to", tmp_path)
    table = tmp_path / "paper-user.csv"
    for words in (["--alpha", "1/2"], ["--epsilon", "ln2"], ["--epsilon", "0.7"], [], ["--design", PAPER]):
        status, out, _ = run("verify", table, *words)
        assert (status, out.splitlines()[-1]) == (0, "PASSED")
    status, out, _ = run("verify", table, "--epsilon", "0.69")
    assert status == 1
    assert "requested: epsilon = 0.69, alpha = 0.501576: not satisfied: the table is less private than requested" in out
    assert "requested: epsilon = ln2, alpha = 1/2: the table is" in run("verify", table, "--epsilon", "ln2")[1]
    data = json.loads(run("verify", table, "--design", PAPER, "--json")[1])
    assert data["passed"] is data["stochastic"] is data["satisfied"] is True
    assert data["epsilon"] <= float(np.nextafter(np.log(2), 1))
    assert data["cost"]["value"] == pytest.approx(1.194232155316292, rel=1e-14)
    assert 0 <= data["cost"]["gap"] < 1e-13


def test_verify_tells_where_a_raw_answer_of_highs_is_not_private_at_all(run, tmp_path):
    n, alpha = 20, np.exp(-1)
    matrix = raw_linear_program(n, alpha)
    path = tmp_path / "raw.csv"
    np.savetxt(path, matrix, delimiter=",")
    status, out, err = run("verify", path, "--epsilon", 1)
    assert (status, err) == (1, "")
    assert "epsilon is infinite" in out
    data = json.loads(run("verify", path, "--epsilon", 1, "--json")[1])
    assert data["epsilon"] == "inf"
    assert data["n_infinite"] > 0
    for place in data["infinite"]:
        pair = sorted(matrix[[place["row"], place["next_row"]], place["column"]])
        assert pair[0] <= 0 < pair[1]
        assert f"rows {place['row']} and {place['next_row']}, column {place['column']}" in out


def raw_linear_program(n, alpha):
    """The user's linear program as everyone writes it, solved by scipy."""
    size = n + 1
    counts = np.arange(size)
    cost = abs(counts[:, None] - counts) / size
    inequalities = []
    for i in range(n):
        for r in range(size):
            for upper, lower in ((i, i + 1), (i + 1, i)):
                row = np.zeros((size, size))
                row[upper, r], row[lower, r] = alpha, -1
                inequalities.append(row.ravel())
    sums = np.kron(np.eye(size), np.ones(size))
    answer = linprog(cost.ravel(), A_ub=np.array(inequalities), b_ub=np.zeros(len(inequalities)), A_eq=sums, b_eq=np.ones(size))
    return answer.x.reshape(size, size)


def test_a_table_of_another_size_cannot_be_judged_by_a_design(run, tmp_path):
    (tmp_path / "t.csv").write_text("0.5,0.5\n0.5,0.5\n")
    status, _, err = run("verify", tmp_path / "t.csv", "--design", PAPER)
    assert status == 2
    assert "n + 1 = 6 rows and columns to be compared with this design, got 2 rows and 2 columns" in err


def test_a_profile_reads_header_and_labels_where_they_are_said(run, tmp_path):
    path = tmp_path / "labelled.csv"
    path.write_text("r,0,1\n0,0.5,0.5\n1,0.25,0.75\n", "utf-8")
    assert run("inspect", path)[0] == run("verify", path, "--profile")[0] == 0  # detected
    assert run("verify", path)[0] == 2
    for command in (["inspect", path], ["verify", path, "--profile"]):
        status, out, _ = run(*command, "--header", "--labels")
        assert status == 0 and "not read: line 1, read as the header (as requested); the first column" in out
    status, _, err = run("verify", path, "--profile", "--design", PAPER)
    assert status == 2 and err == "dpdesigner: --profile and --delta cannot be combined with --design; remove --design.\n"
