package org.hyperslab.tools.ddl;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.hyperslab.H5File;
import org.hyperslab.error.HyperslabException;

/** Prints files as the words of an {@code h5dump} command line ask. */
public final class Dump {

  private final Function<String, H5File> opener;
  private final PrintStream errors;

  /**
   * A dump.
   *
   * @param opener opens a file by name
   * @param errors where messages go
   */
  public Dump(Function<String, H5File> opener, PrintStream errors) {
    this.opener = opener;
    this.errors = errors;
  }

  /**
   * Prints.
   *
   * @param words options and files
   * @param out where text goes that no option sends elsewhere
   * @return 0 if everything asked for was printed, otherwise 1
   * @throws org.hyperslab.error.InvalidUseException if a word is not understood
   */
  public int run(List<String> words, Appendable out) {
    DumpOptions options = DumpArguments.parse(words);
    try (Writer ddlFile = writer(options.ddlFile);
        Writer dataFile = writer(options.dataFile)) {
      Appendable ddl = ddlFile != null ? ddlFile : options.ddl ? out : null;
      Appendable data = dataFile != null ? dataFile : options.data ? out : null;
      int code = 0;
      for (String name : options.files) {
        code |= file(name, options, new DdlPage(ddl, data));
      }
      return code;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static Writer writer(String name) throws IOException {
    return name == null ? null : Files.newBufferedWriter(Path.of(name));
  }

  private int file(String name, DumpOptions options, DdlPage page) {
    H5File file;
    try {
      file = opener.apply(name);
    } catch (HyperslabException failure) {
      error("unable to open file \"" + name + "\": " + failure.getMessage());
      return 1;
    }
    try (file;
        ExternalFiles externals = new ExternalFiles(opener, options, page, this::error)) {
      boolean complete = new FileDump(file, options, page, this::error, externals).run();
      page.end();
      return complete ? 0 : 1;
    }
  }

  private void error(String message) {
    errors.println("dump error: " + message);
  }
}
