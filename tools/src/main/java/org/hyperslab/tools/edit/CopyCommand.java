package org.hyperslab.tools.edit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.Link;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.RemoteStores;
import org.hyperslab.format.store.UnfinishedFile;
import org.hyperslab.model.CopyOptions;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.tools.command.ConnectorOption;
import org.hyperslab.tools.command.Streams;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Copies an object to another file, or within a file. */
@Command(
    name = "copy",
    header = "copies an object to another file, or within a file",
    description = {
      "Copies an object, with everything below it, to another file or to another path in the same"
          + " file. Creates the file if it does not exist. Takes h5copy's options.",
      "Exit codes: 0 success, 1 failure, 2 wrong use."
    })
public final class CopyCommand implements Callable<Integer> {

  private final Streams streams;

  @Mixin private final ConnectorOption connector;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "prints this help")
  private boolean help;

  @Option(
      names = {"-i", "--input"},
      paramLabel = "FILE",
      description = "the file to read")
  private String in;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "the file to write")
  private String out;

  @Option(
      names = {"-s", "--source"},
      required = true,
      paramLabel = "PATH",
      description = "the object to copy")
  private String source;

  @Option(
      names = {"-d", "--destination"},
      required = true,
      paramLabel = "PATH",
      description = "the path of the copy")
  private String destination;

  @Option(
      names = {"-p", "--parents"},
      description = "creates missing parent groups")
  private boolean parents;

  @Option(
      names = {"-v", "--verbose"},
      description = "prints what is being done")
  private boolean verbose;

  @Option(
      names = {"-f", "--flag"},
      paramLabel = "FLAG",
      split = ",",
      description =
          "shallow: copies only the direct members of a group; soft, ext, ref: copies the targets"
              + " of soft links, external links, references; noattr: copies no attributes;"
              + " allflags: all of these; may be repeated")
  private String[] flags = {};

  @Option(names = "--enable-error-stack", description = "prints where an error occurred")
  private boolean errors;

  @Parameters(
      paramLabel = "IN OUT",
      arity = "0..2",
      description = "the files, instead of -i and -o")
  private List<String> files = List.of();

  /**
   * Creates the command.
   *
   * @param streams where results and errors go
   */
  public CopyCommand(Streams streams) {
    this.streams = streams;
    this.connector = new ConnectorOption(streams);
  }

  @Override
  public Integer call() {
    int word = 0;
    if (in == null && word < files.size()) {
      in = files.get(word++);
    }
    if (out == null && word < files.size()) {
      out = files.get(word++);
    }
    if (in == null || out == null || word < files.size()) {
      streams.err().println("copy: exactly one input file and one output file are needed");
      return 2;
    }
    CopyOptions options = options();
    report(
        "Copying file <"
            + RemoteStores.shown(in)
            + "> and object <"
            + source
            + "> to file <"
            + RemoteStores.shown(out)
            + "> and object <"
            + destination
            + ">");
    if (flags.length > 0) {
      report("Using " + String.join(", ", flags) + " flag");
    }
    try (connector) {
      copy(options);
      return 0;
    } catch (HyperslabException failure) {
      streams.err().println("copy: " + failure.getMessage());
      if (errors) {
        failure.printStackTrace(streams.err());
      }
      return 1;
    }
  }

  private void report(String text) {
    if (verbose) {
      streams.out().println(text);
    }
  }

  private CopyOptions options() {
    boolean[] on = new boolean[5];
    List<String> names = List.of("shallow", "soft", "ext", "ref", "noattr");
    for (String flag : flags) {
      int index = names.indexOf(flag);
      if (flag.equals("allflags")) {
        Arrays.fill(on, true);
      } else if (index >= 0) {
        on[index] = true;
      } else {
        throw new InvalidUseException(
            "flag: actual=" + flag + ", expected=shallow, soft, ext, ref, noattr or allflags");
      }
    }
    return CopyOptions.builder()
        .shallow(on[0])
        .expandSoftLinks(on[1])
        .expandExternalLinks(on[2])
        .expandReferences(on[3])
        .withoutAttributes(on[4])
        .build();
  }

  private void copy(CopyOptions options) {
    if (isSameFile()) {
      try (H5File file = connector.open(in, OpenOptions.EDIT)) {
        copy(file, file, options);
      }
      return;
    }
    // The source is opened first, so that a wrong name leaves no new file behind.
    try (H5File from = connector.open(in)) {
      if (!from.exists(source) && !source.equals("/")) {
        throw missing(from, source);
      }
      Optional<H5File> existing = existing();
      if (existing.isEmpty()) {
        copyToNewFile(from, options);
        return;
      }
      try (H5File to = existing.get()) {
        copy(from, to, options);
      }
    }
  }

  private Optional<H5File> existing() {
    try {
      return Optional.of(connector.open(out, OpenOptions.EDIT));
    } catch (NotFoundException none) {
      return Optional.empty();
    }
  }

  /**
   * Copies to a file that gets its name when it is complete. A file that is not an HDF5 file, or
   * that was created meanwhile, is not replaced.
   */
  private void copyToNewFile(H5File from, CopyOptions options) {
    boolean isPlain = connector.isPlain(out);
    CreateOptions fresh =
        CreateOptions.DEFAULT
            .withExclusive(true)
            .withBounds(FormatVersion.V110, FormatVersion.LATEST);
    try (UnfinishedFile file =
        isPlain ? UnfinishedFile.of(Path.of(out)) : UnfinishedFile.inPlace(Path.of(out))) {
      try (H5File to = connector.create(isPlain ? file.path().toString() : out, fresh)) {
        file.begun();
        copy(from, to, options);
      }
      file.finishNew();
    } catch (IOException failure) {
      throw new StorageException(
          "copy: actual=" + failure + ", expected=a new file, at=" + out, failure);
    }
  }

  private boolean isSameFile() {
    try {
      return Files.exists(Path.of(in)) && Files.isSameFile(Path.of(in), Path.of(out));
    } catch (IOException | InvalidPathException different) {
      return in.equals(out);
    }
  }

  private static NotFoundException missing(H5File file, String path) {
    return new NotFoundException(
        "object: actual=not found, expected=an object, at=" + path + " in " + file.name());
  }

  private void copy(H5File from, H5File to, CopyOptions options) {
    if (parents) {
      report("copy: Creating parent groups");
    } else {
      requireParents(to);
    }
    Group root = to.root();
    if (!source.equals("/") && !from.root().resolves(source)) {
      copyLink(from.root().link(source), root);
      return;
    }
    from.root().copy(source, root, destination, options);
  }

  /** Copies a link that leads to no object as what it is, like h5copy. */
  private void copyLink(Link link, Group root) {
    switch (link.kind()) {
      case SOFT -> root.createSoftLink(destination, link.targetPath().orElseThrow());
      case EXTERNAL ->
          root.createExternalLink(
              destination, link.targetFile().orElseThrow(), link.targetPath().orElseThrow());
      case HARD, USER_DEFINED ->
          throw new InvalidUseException(
              "link: actual=" + link.kind() + ", expected=one that can be copied, at=" + source);
    }
  }

  private void requireParents(H5File to) {
    for (int slash = destination.indexOf('/', 1);
        slash > 0 && slash < destination.length() - 1;
        slash = destination.indexOf('/', slash + 1)) {
      String parent = destination.substring(0, slash);
      if (!to.exists(parent)) {
        throw new NotFoundException(
            "group: actual=not found, expected=a group; use -p to create parent groups, at="
                + parent
                + " in "
                + out);
      }
    }
  }
}
