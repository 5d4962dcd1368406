package org.hyperslab.tools.dump;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.hyperslab.H5File;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.store.RemoteStores;
import org.hyperslab.format.store.UnfinishedFile;
import org.hyperslab.model.OpenOptions;

/** Prints files according to an {@code h5dump} command line. */
public final class Dump {

  private final BiFunction<String, OpenOptions, H5File> opener;
  private final BiConsumer<String, Path> outputCheck;
  private final PrintStream errors;

  /**
   * Creates a dump that writes to any file that the options name.
   *
   * @param opener opens a file by name
   * @param errors receives messages
   */
  public Dump(BiFunction<String, OpenOptions, H5File> opener, PrintStream errors) {
    this(opener, (_, _) -> {}, errors);
  }

  /**
   * Creates a dump.
   *
   * @param opener opens a file by name
   * @param outputCheck checks that an input, given by its name, is not the file to write
   * @param errors receives messages
   */
  public Dump(
      BiFunction<String, OpenOptions, H5File> opener,
      BiConsumer<String, Path> outputCheck,
      PrintStream errors) {
    this.opener = opener;
    this.outputCheck = outputCheck;
    this.errors = errors;
  }

  /**
   * Prints the files that a command line names.
   *
   * @param words the options and names of files
   * @param out receives the text that no option redirects
   * @return 0 if everything requested was printed, otherwise 1, also for a wrong option
   */
  public int run(List<String> words, Appendable out) {
    try {
      DumpOptions options = DumpArguments.parse(words);
      try (Outputs outputs = new Outputs(options, outputCheck, out)) {
        return files(options, outputs);
      }
    } catch (InvalidUseException wrong) {
      error(wrong.getMessage());
      return 1;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /**
   * Each object is visited once or a few times in a row. More metadata is not worth keeping: the
   * garbage collector copies what is kept, several times the size that it has in the file.
   */
  private static final String METADATA_BYTES = Integer.toString(1 << 16);

  /** The open files to which options redirect text and bytes. */
  private static final class Outputs implements AutoCloseable {
    final DdlPage.Places places;
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<UnfinishedFile> files = new ArrayList<>();
    private final Map<String, OutputStream> streams = new HashMap<>();
    private final Map<String, Writer> texts = new HashMap<>();
    private final Appendable standard;
    private final Consumer<Path> check;

    Outputs(DumpOptions options, BiConsumer<String, Path> check, Appendable out)
        throws IOException {
      this.check = path -> options.files.forEach(input -> check.accept(input, path));
      this.standard = new DeferredText(out);
      try {
        Appendable ddl = place(options.ddl);
        Appendable attributes = place(options.attributeData);
        boolean binary = options.binary != null;
        Appendable data = binary ? standard : place(options.data);
        places = new DdlPage.Places(ddl, data, attributes, binary ? bytes(options.data) : null);
      } catch (InvalidUseException failure) {
        close();
        throw failure;
      }
    }

    private Appendable place(DumpOptions.Place place) {
      if (place == null) {
        return standard;
      }
      if (place.file() == null) {
        return null;
      }
      return texts.computeIfAbsent(place.file(), file -> writer(bytes(place)));
    }

    private Writer writer(OutputStream stream) {
      Writer writer = new DdlWriter(stream);
      opened.add(writer);
      return writer;
    }

    /** Opens a file; options may name the same one more than once. */
    private OutputStream bytes(DumpOptions.Place place) {
      return streams.computeIfAbsent(place.file(), this::open);
    }

    private OutputStream open(String name) {
      try {
        Path path = Path.of(name);
        check.accept(path);
        UnfinishedFile file = UnfinishedFile.of(path);
        files.add(file);
        OutputStream stream = new BufferedOutputStream(Files.newOutputStream(file.path()));
        opened.add(stream);
        return stream;
      } catch (IOException | InvalidPathException failure) {
        throw new InvalidUseException(
            "dump: actual=cannot write, expected=a file that can be written, at=" + name, failure);
      }
    }

    /**
     * Ends the output. The C library ends standard output with a line separator if the description
     * is suppressed. The files get their names.
     */
    void end() throws IOException {
      if (places.ddl() == null && places.data() == standard) {
        standard.append('\n');
      }
      closeStreams();
      for (UnfinishedFile file : files) {
        file.finish();
      }
    }

    @Override
    public void close() throws IOException {
      try {
        closeStreams();
      } finally {
        files.forEach(UnfinishedFile::close);
      }
    }

    private void closeStreams() throws IOException {
      for (AutoCloseable one : opened.reversed()) {
        try {
          one.close();
        } catch (IOException failure) {
          throw failure;
        } catch (Exception impossible) {
          throw new IllegalStateException(impossible);
        }
      }
      opened.clear();
    }
  }

  private int files(DumpOptions options, Outputs outputs) throws IOException {
    int code = 0;
    for (String name : options.files) {
      H5File file;
      try {
        file = open(name, options);
      } catch (HyperslabException failure) {
        error("unable to open file \"" + RemoteStores.shown(name) + "\": " + failure.getMessage());
        return 1; // later files are not opened
      }
      code |= file(file, options, new DdlPage(outputs.places, options.width));
      if (options.contents) {
        break;
      }
    }
    outputs.end();
    return code;
  }

  private H5File open(String name, DumpOptions options) {
    OpenOptions how = OpenOptions.READ.withProperty("metadata.bytes", METADATA_BYTES);
    if (options.firstMissing) {
      how = how.withProperty("virtual.view", "first-missing");
    }
    if (options.virtualGap > 0) {
      how = how.withProperty("virtual.gap", Integer.toString(options.virtualGap));
    }
    return opener.apply(name, how);
  }

  private int file(H5File file, DumpOptions options, DdlPage page) {
    try (file;
        LinkedFiles externals =
            new LinkedFiles(file, name -> open(name, options), options, page, this::error)) {
      boolean complete = new FileDump(file, options, page, this::error, externals).run();
      page.end();
      return complete ? 0 : 1;
    }
  }

  private void error(String message) {
    errors.println("dump error: " + message);
  }
}
