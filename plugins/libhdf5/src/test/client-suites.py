"""Runs a module of PyTables' tests, but those whose names contain a word; prints the counts and what fails."""

import importlib
import io
import sys
import unittest
import warnings

warnings.simplefilter("ignore")


def flat(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from flat(test)
        else:
            yield test


module = importlib.import_module("tables.tests.test_" + sys.argv[1])
chosen = [t for t in flat(module.suite()) if not sys.argv[2] or sys.argv[2] not in str(t)]
result = unittest.TextTestRunner(stream=io.StringIO()).run(unittest.TestSuite(chosen))
failed = result.failures + result.errors
print(f"run {result.testsRun}, failed {len(failed)}, skipped {len(result.skipped)}")
for test, _ in failed:
    print("failed", test)
