package org.hyperslab.tools.command;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hyperslab.H5File;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.store.RemoteStores;
import org.hyperslab.model.OpenOptions;

/**
 * A file and the path of an object in it, written {@code FILE:/path}. The file may be a URI.
 *
 * @param file the name of the file, as it was given
 * @param path the path, which begins with a slash; "/" if there was none
 */
public record ObjectAddress(String file, String path) {

  private static final String ROOT = "/";
  private static final String SEPARATOR = ":/";

  /**
   * {@return the address that a word stands for; of the root group if it is only the name of a
   * file}
   *
   * @param word a word of a command line
   */
  public static ObjectAddress of(String word) {
    int colon = colon(word);
    return colon < 0
        ? new ObjectAddress(word, ROOT)
        : new ObjectAddress(word.substring(0, colon), word.substring(colon + 1));
  }

  /**
   * {@return the addresses that words stand for: {@code FILE:/path}, or a path, which is in the
   * file of the word before it; the first word may be only a file}
   *
   * @param words words of a command line
   * @throws InvalidUseException if no path is among them
   */
  public static List<ObjectAddress> all(List<String> words) {
    List<ObjectAddress> addresses = new ArrayList<>();
    String file = null;
    for (String word : words) {
      if (file == null || colon(word) >= 0) {
        ObjectAddress address = of(word);
        file = address.file();
        if (colon(word) >= 0) {
          addresses.add(address);
        }
      } else {
        addresses.add(new ObjectAddress(file, word.startsWith(ROOT) ? word : ROOT + word));
      }
    }
    if (addresses.isEmpty()) {
      throw new InvalidUseException(
          "object: actual=only the file "
              + RemoteStores.shown(words.getFirst())
              + ", expected=FILE:/path, or FILE and the paths of objects");
    }
    return addresses;
  }

  /**
   * Returns the index of the colon before the path; -1 if there is none. It is the colon behind the
   * longest part that is a file, else the first that belongs neither to a scheme nor to a drive.
   */
  private static int colon(String word) {
    int first = -1;
    int ofFile = -1;
    for (int at = word.indexOf(SEPARATOR); at >= 0; at = word.indexOf(SEPARATOR, at + 1)) {
      String before = word.substring(0, at);
      boolean isScheme = word.startsWith("//", at + 1) || before.equals("file");
      boolean isDrive = at == 1 && File.separatorChar == '\\';
      ofFile = isFile(before) ? at : ofFile;
      first = first < 0 && at > 0 && !isScheme && !isDrive ? at : first;
    }
    return ofFile >= 0 ? ofFile : first;
  }

  /**
   * {@return the file, opened} If there is none because the path was written in another way, such
   * as {@code a.h5/x}, the error says how it is written.
   *
   * @param connector opens it
   * @param options how
   */
  public H5File open(ConnectorOption connector, OpenOptions options) {
    try {
      return connector.open(file, options);
    } catch (HyperslabException failure) {
      int end = fileEnd(file);
      if (end < 0) {
        throw failure;
      }
      String meant = file.substring(0, end) + SEPARATOR + inside(file, end);
      NotFoundException better =
          new NotFoundException(
              "object: actual=" + file + ", expected=FILE:/path; did you mean " + meant + "?");
      better.addSuppressed(failure); // as a cause, its message would be printed, too
      throw better;
    }
  }

  /**
   * {@return what is meant by FILE:/path where objects are written FILE/path; empty if it is no
   * file and a path in it}
   *
   * @param word a word of a command line
   */
  public static Optional<String> withSlash(String word) {
    int end = fileEnd(word);
    return end < 0 || word.charAt(end) == '/'
        ? Optional.empty()
        : Optional.of(word.substring(0, end) + ROOT + inside(word, end));
  }

  /** Returns the length of the longest name of a file before a colon or slash; -1 if none is. */
  private static int fileEnd(String word) {
    for (int at = word.length() - 1; at > 0; at--) {
      boolean isEnd = word.charAt(at) == ':' || word.charAt(at) == '/';
      if (isEnd && isFile(word.substring(0, at))) {
        return at;
      }
    }
    return -1;
  }

  private static String inside(String word, int end) {
    return word.substring(end).replaceFirst("^[:/]+", "");
  }

  private static boolean isFile(String name) {
    try {
      return Files.isRegularFile(Path.of(name));
    } catch (InvalidPathException notLocal) {
      return false;
    }
  }

  /**
   * A part of a dataset.
   *
   * @param path the path of the dataset
   * @param slice the text of a slice without brackets; "" for all elements
   */
  public record Part(String path, String slice) {}

  /**
   * {@return the path and the slice that an address names, such as {@code FILE:/path[3,:]}} Names
   * may contain brackets: the slice is what the last brackets hold, unless an object has the whole
   * path.
   *
   * @param opened the file
   */
  public Part part(H5File opened) {
    int bracket = path.endsWith("]") ? path.lastIndexOf('[') : -1;
    return bracket < 0 || opened.exists(path)
        ? new Part(path, "")
        : new Part(path.substring(0, bracket), path.substring(bracket + 1, path.length() - 1));
  }

  /** {@return whether the path is that of the root group, in any spelling} */
  public boolean isRoot() {
    for (String part : path.split("/")) {
      if (!part.isEmpty() && !part.equals(".")) {
        return false;
      }
    }
    return true;
  }

  /** Returns the address as it is written, without secrets of a URI. */
  @Override
  public String toString() {
    return RemoteStores.shown(file) + ":" + path;
  }
}
