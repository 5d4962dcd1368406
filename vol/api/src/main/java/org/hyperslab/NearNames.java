package org.hyperslab;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.model.AttributeInfo;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.LinkInfo;
import org.hyperslab.model.PageRequest;
import org.hyperslab.vol.AttributeOperation;
import org.hyperslab.vol.LinkOperation;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.Operation;

/**
 * Adds to the failure of a call with a name that does not exist the names that may have been meant.
 *
 * <p>Names are asked for only after a failure, and at most one page of them. Where ranks make calls
 * together none are, because one rank may have failed alone.
 *
 * <p>Thread rule: no state.
 */
final class NearNames {

  private static final int MOST = 3;

  /** The length of a name from which on a part of it counts as near. */
  private static final int SHORTEST_PART = 3;

  private NearNames() {}

  /** Carries out an operation of any type of result, and waits for it. */
  interface Caller {
    <R> R call(Operation<R> operation);
  }

  /**
   * Makes a call about a path from a group; if the path leads nowhere, adds paths near to it.
   *
   * @param at returns the place of a path from the group
   */
  static <R> R seek(
      Caller caller,
      boolean collective,
      Function<String, Location> at,
      String path,
      Operation<R> operation) {
    try {
      return caller.call(operation);
    } catch (NotFoundException missing) {
      throw with(missing, collective, () -> ofPath(caller, at, path));
    }
  }

  /** Makes a call about an attribute; if there is none of the name, adds names near to it. */
  static <R> R seekAttribute(
      Caller caller, boolean collective, Location object, String name, Operation<R> operation) {
    try {
      return caller.call(operation);
    } catch (NotFoundException missing) {
      throw with(missing, collective, () -> hint("", name, attributes(caller, object)));
    }
  }

  private static HyperslabException with(
      NotFoundException missing, boolean collective, Supplier<String> hint) {
    if (collective) {
      return missing;
    }
    try {
      String more = hint.get();
      return more.isEmpty() ? missing : missing.withMessage(missing.getMessage() + more);
    } catch (RuntimeException unknown) {
      return missing; // closed meanwhile, or storage fails: what is missing was asked
    }
  }

  private static String ofPath(Caller caller, Function<String, Location> at, String path) {
    String before = path.startsWith("/") ? "/" : "";
    for (String part : path.split("/")) {
      if (part.isEmpty()) {
        continue;
      }
      String here = before + part;
      if (!caller.call(new LinkOperation.Exists(at.apply(here)))) {
        return hint(before, part, names(caller, at.apply(before)));
      }
      before = here + "/";
    }
    return ""; // a link that leads nowhere
  }

  private static List<String> names(Caller caller, Location group) {
    PageRequest first = PageRequest.first(IterationIndex.NAME);
    return caller.call(new LinkOperation.ListLinks(group, first)).entries().stream()
        .map(LinkInfo::name)
        .toList();
  }

  private static List<String> attributes(Caller caller, Location object) {
    PageRequest first = PageRequest.first(IterationIndex.NAME);
    return caller.call(new AttributeOperation.ListAttributes(object, first)).entries().stream()
        .map(AttributeInfo::name)
        .toList();
  }

  /**
   * Returns the end of a message that asks whether one of some names was meant.
   *
   * @param before what precedes each name, such as the path to it
   * @param wanted the name that does not exist
   * @param names those that do
   * @return the text, from a semicolon on; empty if none of them is near
   */
  static String hint(String before, String wanted, Collection<String> names) {
    String sought = wanted.toLowerCase(Locale.ROOT);
    List<Near> near =
        names.stream()
            .map(name -> Near.of(sought, name))
            .filter(each -> each.part || each.distance <= Math.max(1, sought.length() / 3))
            .sorted(Comparator.comparingInt(Near::distance))
            .toList();
    String meant =
        near.stream()
            .filter(each -> each.distance <= near.getFirst().distance + 1)
            .limit(MOST)
            .map(each -> "\"" + before + each.name + "\"")
            .collect(Collectors.joining(" or "));
    return meant.isEmpty() ? "" : "; did you mean " + meant + "?";
  }

  /** A name, how much it differs from the one sought, and whether one is a part of the other. */
  private record Near(String name, int distance, boolean part) {

    static Near of(String sought, String name) {
      String lower = name.toLowerCase(Locale.ROOT);
      boolean longer = lower.length() > sought.length();
      String part = longer ? sought : lower;
      boolean contained =
          part.length() >= SHORTEST_PART && (longer ? lower : sought).contains(part);
      return new Near(name, NearNames.distance(sought, lower), contained);
    }
  }

  /**
   * Returns by how many characters left out, added, exchanged with another or with a neighbour two
   * texts differ.
   */
  private static int distance(String a, String b) {
    int[] beforeLast = new int[b.length() + 1];
    int[] last = new int[b.length() + 1];
    Arrays.setAll(last, j -> j);
    for (int i = 1; i <= a.length(); i++) {
      int[] row = new int[b.length() + 1];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        row[j] = Math.min(last[j - 1] + change, 1 + Math.min(last[j], row[j - 1]));
        boolean swapped =
            i > 1
                && j > 1
                && a.charAt(i - 1) == b.charAt(j - 2)
                && a.charAt(i - 2) == b.charAt(j - 1);
        if (swapped) {
          row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
        }
      }
      beforeLast = last;
      last = row;
    }
    return last[b.length()];
  }
}
