package org.hyperslab.tools.edit;

import java.nio.file.Path;
import java.util.Stack;
import java.util.concurrent.Callable;
import org.hyperslab.Hdf5;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.FileAccess;
import org.hyperslab.format.store.FileStore;
import org.hyperslab.format.store.RemoteStores;
import org.hyperslab.format.superblock.SuperblockCodec;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.tools.command.Streams;
import org.hyperslab.tools.command.UriNames;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Removes what a crashed writer leaves in a file. */
@Command(
    name = "clear",
    header = "makes a file usable again after its writer crashed",
    description = {
      "A program that crashes while it has a file open for writing leaves a mark in it, and other"
          + " programs then refuse to open the file. -s removes the mark (the consistency flags)."
          + " The end of the file that its superblock records may also be wrong; --increment"
          + " corrects it. Make sure first that no program is still writing the file.",
      "Takes h5clear's options. If several are given, --filesize prints the state before the"
          + " others.",
      "Exit codes: 0 done, or nothing to do; 1 failure; 2 wrong use."
    })
public final class ClearCommand implements Callable<Integer> {

  private static final long DEFAULT_INCREMENT = 1 << 20;

  private final Streams streams;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "prints this help")
  private boolean help;

  @ArgGroup(exclusive = false, multiplicity = "1")
  private Actions actions;

  @Parameters(paramLabel = "FILE", description = "the file")
  private String file;

  @Spec private CommandSpec spec;

  /** Takes the word after {@code --increment} only if it is a number, for it may be the file. */
  static final class Increment implements IParameterConsumer {
    @Override
    public void consumeParameters(Stack<String> words, ArgSpec option, CommandSpec all) {
      boolean given = !words.isEmpty() && words.peek().matches("-?\\d{1,18}");
      option.setValue(given ? Long.parseLong(words.pop()) : DEFAULT_INCREMENT);
    }
  }

  /** What to do; at least one. */
  private static final class Actions {

    @Option(
        names = {"-s", "--status"},
        description = "removes the mark")
    private boolean status;

    @Option(
        names = {"-m", "--image"},
        description =
            "removes the image of a metadata cache, which Hyperslab and HDF5 1.10 or newer can"
                + " read, but no older release")
    private boolean image;

    @Option(
        names = "--filesize",
        description =
            "prints the end that the superblock records (EOA) and the length of the file (EOF)")
    private boolean filesize;

    @Option(
        names = "--increment",
        paramLabel = "BYTES",
        arity = "0..1",
        parameterConsumer = Increment.class,
        description =
            "sets EOA and EOF to the greater of them plus BYTES, at least 0 (default:"
                + " 1048576)")
    private Long increment;
  }

  /**
   * Creates the command.
   *
   * @param streams where results and errors go
   */
  public ClearCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    if (actions.increment != null && actions.increment < 0) {
      throw new ParameterException(
          spec.commandLine(), "--increment: actual=" + actions.increment + ", expected=at least 0");
    }
    if (UriNames.isFar(file)) {
      throw new InvalidUseException(
          "clear: actual=" + RemoteStores.shown(file) + ", expected=a file of this machine");
    }
    if (actions.filesize) {
      RecordedEnd end = RecordedEnd.of(Path.of(file));
      streams.out().println("EOA is " + end.recorded() + "; EOF is " + end.length() + " ");
    }
    if (actions.increment != null) {
      RecordedEnd.advance(Path.of(file), actions.increment);
    }
    if (actions.status) {
      removeMark();
    }
    if (actions.image) {
      Hdf5.open(file, OpenOptions.EDIT.withProperty("removeCacheImage", "true")).close();
    }
    return 0;
  }

  /** Removes the mark; that what the file contains cannot be read is no failure. */
  private void removeMark() {
    OpenOptions clearing = OpenOptions.EDIT.withProperty("clearConsistencyFlags", "true");
    try {
      Hdf5.open(file, clearing).close();
    } catch (CorruptFileException damaged) {
      if (isMarked(Path.of(file))) {
        throw damaged;
      }
      streams
          .err()
          .println(
              "hyperslab clear: the mark is removed, but the file cannot be read: "
                  + damaged.getMessage());
    }
  }

  /** Returns whether a file that is not truncated is marked as open for writing. */
  private static boolean isMarked(Path path) {
    try (ByteStore store = FileStore.open(path, FileAccess.READ)) {
      return SuperblockCodec.read(store).markedOpen();
    }
  }
}
