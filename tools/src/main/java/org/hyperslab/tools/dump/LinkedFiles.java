package org.hyperslab.tools.dump;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.hyperslab.H5File;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.model.LinkInfo;

/**
 * The target files of external links. Each is opened once and records which of its objects were
 * printed. h5dump prints the target of an external link inside the link, and HARDLINK if it printed
 * the object before.
 */
final class LinkedFiles implements AutoCloseable {

  /** The limit of external links from file to file, against malicious files. */
  private static final int DEEPEST = 64;

  private final H5File original;
  private final Function<String, H5File> opener;
  private final DumpOptions options;
  private final DdlPage page;
  private final Consumer<String> errors;
  private final Map<String, FileDump> dumps = new HashMap<>();
  private final List<H5File> opened = new ArrayList<>();
  private int depth;

  /** Creates the set of target files of a file's links; the file itself is not entered again. */
  LinkedFiles(
      H5File original,
      Function<String, H5File> opener,
      DumpOptions options,
      DdlPage page,
      Consumer<String> errors) {
    this.original = original;
    this.opener = opener;
    this.options = options;
    this.page = page;
    this.errors = errors;
  }

  /** Prints the target of a link of {@code from}, if it can be reached. */
  void print(H5File from, LinkInfo link, int indent) {
    FileDump dump = depth < DEEPEST ? find(from.name(), link.targetFile()) : null;
    if (dump == null) {
      return;
    }
    depth++;
    try {
      dump.printExternal(link.targetPath(), indent);
    } finally {
      depth--;
    }
  }

  /** Opens a file that a reference names; the caller closes it. */
  H5File openOther(String name) {
    return opener.apply(name);
  }

  private FileDump find(String from, String target) {
    for (String name : List.of(beside(from, target), target)) {
      if (isOriginal(name)) {
        return null;
      }
      FileDump known = dumps.get(name);
      if (known == null) {
        known = open(name);
      }
      if (known != null) {
        return known;
      }
    }
    return null;
  }

  private FileDump open(String name) {
    try {
      H5File file = opener.apply(name);
      opened.add(file);
      FileDump dump = new FileDump(file, options, page, errors, this);
      dumps.put(name, dump);
      return dump;
    } catch (HyperslabException absent) {
      return null;
    }
  }

  private boolean isOriginal(String name) {
    try {
      return Path.of(name).normalize().equals(Path.of(original.name()).normalize());
    } catch (InvalidPathException notOfThisMachine) {
      return name.equals(original.name());
    }
  }

  private static String beside(String from, String target) {
    try {
      return Path.of(from).resolveSibling(target).toString();
    } catch (InvalidPathException notOfThisMachine) {
      return target;
    }
  }

  @Override
  public void close() {
    opened.forEach(H5File::close);
  }
}
