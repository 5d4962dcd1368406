package org.hyperslab.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.testkit.Oracle;

/**
 * What h5py says of a file: expressions over it, all of them in one process, each of which must
 * print what is expected.
 */
final class PythonView {

  private final List<String> expressions = new ArrayList<>();
  private final List<String> expected = new ArrayList<>();

  /** An expression over the open file {@code f}, and what Python's {@code print} shows of it. */
  PythonView see(String expression, String text) {
    expressions.add(expression);
    expected.add(text);
    return this;
  }

  /** Asks h5py. */
  void judge(Path file) {
    StringBuilder script = new StringBuilder("import h5py\nf = h5py.File('" + file + "', 'r')\n");
    expressions.forEach(expression -> script.append("print(").append(expression).append(")\n"));
    String said = Oracle.h5py().run(script.toString()).orFail().output();
    assertThat(said.lines().toList()).isEqualTo(expected);
  }
}
