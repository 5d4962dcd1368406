package org.hyperslab.tools.edit;

import java.util.List;
import java.util.function.BiConsumer;
import org.hyperslab.H5File;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.store.RemoteStores;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.tools.command.ConnectorOption;
import org.hyperslab.tools.command.FailureReport;
import org.hyperslab.tools.command.ObjectAddress;
import org.hyperslab.tools.command.Streams;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * Makes a change at several places, of one file or of several.
 *
 * @param command the command, for messages
 * @param connector opens the files
 * @param streams receive messages
 */
record FileEdit(CommandSpec command, ConnectorOption connector, Streams streams) {

  /**
   * Makes a change at each place. One that fails is reported, and the others are made.
   *
   * @param words the places, as {@link ObjectAddress#all} takes them
   * @param change the change, in the open file
   * @return the exit code
   * @throws ParameterException if no path is among the words
   */
  int each(List<String> words, BiConsumer<H5File, ObjectAddress> change) {
    List<ObjectAddress> places = places(words, command);
    boolean failed = false;
    int next = 0;
    while (next < places.size()) {
      String name = places.get(next).file();
      int end = next;
      while (end < places.size() && places.get(end).file().equals(name)) {
        end++;
      }
      failed |= !inOneFile(places.subList(next, end), change);
      next = end;
    }
    return failed ? 1 : 0;
  }

  /**
   * {@return the places that words stand for, as {@link ObjectAddress#all} takes them}
   *
   * @param words the words
   * @param command the command whose they are
   * @throws ParameterException if no path is among them
   */
  static List<ObjectAddress> places(List<String> words, CommandSpec command) {
    try {
      return ObjectAddress.all(words);
    } catch (InvalidUseException noPath) {
      throw new ParameterException(command.commandLine(), noPath.getMessage(), noPath);
    }
  }

  /** Returns whether all changes were made. */
  private boolean inOneFile(List<ObjectAddress> places, BiConsumer<H5File, ObjectAddress> change) {
    boolean done = true;
    try (H5File file = places.getFirst().open(connector, OpenOptions.EDIT)) {
      for (ObjectAddress place : places) {
        try {
          change.accept(file, place);
        } catch (HyperslabException failure) {
          report(place.toString(), failure);
          done = false;
        }
      }
    } catch (HyperslabException failure) {
      report(RemoteStores.shown(places.getFirst().file()), failure);
      done = false;
    }
    return done;
  }

  private void report(String place, HyperslabException failure) {
    String message = FailureReport.inWords(failure.getMessage());
    streams.err().println(command.qualifiedName() + ": " + place + ": " + message);
  }

  /**
   * Requires that the group exists in which an object is to be created.
   *
   * @throws NotFoundException if it does not
   */
  static void requireParents(H5File file, String path) {
    String trimmed = path.replaceAll("/+$", "");
    int slash = trimmed.lastIndexOf('/');
    String parent = slash <= 0 ? "/" : trimmed.substring(0, slash);
    if (parent.chars().anyMatch(c -> c != '/') && !file.exists(parent)) {
      throw new NotFoundException(
          "group: actual=not found, expected=a group; -p creates parent groups, at="
              + parent
              + " in "
              + file.name());
    }
  }
}
