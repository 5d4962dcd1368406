package org.hyperslab.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.testkit.Oracle;

/**
 * Checks a file with h5py: evaluates expressions over it, all in one process, and compares what
 * they print.
 */
final class PythonView {

  private final List<String> expressions = new ArrayList<>();
  private final List<String> expected = new ArrayList<>();

  /**
   * Adds an expression over the open file {@code f}, and the expected output of Python's {@code
   * print}.
   */
  PythonView see(String expression, String text) {
    expressions.add(expression);
    expected.add(text);
    return this;
  }

  /** Evaluates the expressions in h5py. */
  void judge(Path file) {
    StringBuilder script = new StringBuilder("import h5py\nf = h5py.File('" + file + "', 'r')\n");
    expressions.forEach(expression -> script.append("print(").append(expression).append(")\n"));
    String said = Oracle.h5py().run(script.toString()).orFail().output();
    assertThat(said.lines().toList()).isEqualTo(expected);
  }
}
