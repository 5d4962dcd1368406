package org.hyperslab.plugins.nativevol;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.testkit.Oracle;

/** Runs programs of the HDF5 library that examine written files. */
final class LibraryJudge {

  private LibraryJudge() {}

  /** Runs a Python script with h5py, numpy as np and the given arguments; returns its output. */
  static String python(String script, Object... arguments) {
    List<String> words = new ArrayList<>();
    words.add("import sys, h5py, numpy as np\n" + script);
    for (Object argument : arguments) {
      words.add(argument.toString());
    }
    return Oracle.h5py().run(words.toArray(String[]::new)).orFail().output().strip();
  }

  /** Runs h5dump and requires that it succeeds; returns its output. */
  static String h5dump(Path file, String... options) {
    List<String> words = new ArrayList<>(List.of(options));
    words.add(file.toString());
    return Oracle.h5dump().run(words.toArray(String[]::new)).orFail().output();
  }

  /** Returns whether h5dump refuses a file. */
  static boolean refuses(Path file) {
    return Oracle.h5dump().run(file.toString()).exitCode() != 0;
  }
}
