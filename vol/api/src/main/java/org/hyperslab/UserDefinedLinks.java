package org.hyperslab;

import java.util.function.Function;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.model.LinkInfo;

/**
 * Finds user-defined links on a path, through soft links too.
 *
 * <p>Thread rule: confined to one thread.
 */
final class UserDefinedLinks {

  /** The number of soft links that are followed, which may form a cycle. */
  private static final int MAX_LINKS = 16;

  private final Function<String, LinkInfo> links;
  private int followed;

  /**
   * Prepares a search.
   *
   * @param links finds the link at a path
   */
  UserDefinedLinks(Function<String, LinkInfo> links) {
    this.links = links;
  }

  /** Returns whether a user-defined link is the first on a path that does not lead on. */
  boolean areOn(String path) {
    for (int end = path.indexOf('/', 1); true; end = path.indexOf('/', end + 1)) {
      String part = end < 0 ? path : path.substring(0, end);
      if (!part.endsWith("/") && isUserDefined(part)) {
        return true;
      }
      if (end < 0) {
        return false;
      }
    }
  }

  private boolean isUserDefined(String path) {
    try {
      LinkInfo link = links.apply(path);
      return switch (link.kind()) {
        case USER_DEFINED -> true;
        case SOFT -> ++followed <= MAX_LINKS && areOn(targetOf(path, link.targetPath()));
        case HARD, EXTERNAL -> false;
      };
    } catch (NotFoundException missing) {
      return false;
    }
  }

  private static String targetOf(String path, String target) {
    return target.startsWith("/") ? target : path.substring(0, path.lastIndexOf('/') + 1) + target;
  }
}
