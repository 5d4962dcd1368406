package org.hyperslab.tools.fuzz;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.testkit.fuzz.FileWalk;
import org.hyperslab.testkit.fuzz.FuzzTarget;
import org.hyperslab.tools.dump.Dump;

/** Prints a file as h5dump does, up to a bound on the text. */
public final class DumpTarget implements FuzzTarget {

  private static final int LONGEST_TEXT = 1 << 18;

  /** Creates a target. */
  public DumpTarget() {}

  /** Thrown when enough was printed. */
  private static final class Enough extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Counts text and drops it. */
  private static final class Counted implements Appendable {
    private long length;

    @Override
    public Appendable append(CharSequence text) {
      length += text.length();
      if (length > LONGEST_TEXT) {
        throw new Enough();
      }
      return this;
    }

    @Override
    public Appendable append(CharSequence text, int start, int end) {
      return append(text.subSequence(start, end));
    }

    @Override
    public Appendable append(char each) {
      return append(String.valueOf(each));
    }
  }

  @Override
  public void use(Path file) {
    for (List<String> options : List.of(List.<String>of(), List.of("-p", "-B", "-H", "-i"))) {
      dump(file, options);
    }
  }

  private static void dump(Path file, List<String> options) {
    PrintStream none =
        new PrintStream(PrintStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    List<String> words = new ArrayList<>(options);
    words.add(file.toString());
    try {
      new Dump(DumpTarget::open, none).run(words, new Counted());
    } catch (Enough enough) {
      // the rest would be similar
    } catch (HyperslabException failure) {
      FileWalk.requireTyped(failure);
    }
  }

  private static H5File open(String name, OpenOptions options) {
    return Hdf5.open(name, options.withThreads(1));
  }
}
