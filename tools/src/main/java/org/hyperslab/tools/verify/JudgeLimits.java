package org.hyperslab.tools.verify;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.Dataset;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.Layout;
import org.hyperslab.tools.walk.TypeIdentity;

/**
 * What the engine that a file is compared with is known not to read as it is stored, so that a
 * difference says nothing about the file. Only jHDF's limits are known.
 *
 * <p>Thread rule: immutable.
 */
final class JudgeLimits {

  private static final String NO_EMPTY_TEXT = "jHDF reads no string and an empty one alike";
  private static final String ONLY_UTF8 = "text that is not UTF-8, whose bytes jHDF does not keep";
  private static final String MEMBER_DIMENSIONS =
      "a compound of the old format whose members have dimensions, which jHDF does not read";
  private static final String CHUNKS_BY_EXTENT =
      "an index of chunks whose order depends on the greatest extent; jHDF takes the present one";
  private static final char REPLACEMENT = '\uFFFD';

  private final boolean isJhdf;

  private JudgeLimits(boolean isJhdf) {
    this.isJhdf = isJhdf;
  }

  /**
   * {@return the limits of an engine}
   *
   * @param engine its name or configuration
   */
  static JudgeLimits of(String engine) {
    return new JudgeLimits(engine.toLowerCase(Locale.ROOT).contains("jhdf"));
  }

  /**
   * {@return why a name is not found; empty if its absence is a difference}
   *
   * @param name a name that only one engine has
   */
  Optional<String> ofName(String name) {
    boolean isUndecoded = isJhdf && (hasUndecoded(name) || name.indexOf(REPLACEMENT) >= 0);
    return isUndecoded ? Optional.of(ONLY_UTF8) : Optional.empty();
  }

  /**
   * {@return why types differ; empty if that is a difference}
   *
   * @param ours the type as read by the other engine
   * @param judges the type as read by this engine
   */
  Optional<String> ofTypes(Datatype ours, Datatype judges) {
    boolean isOneElement =
        isJhdf
            && TypeIdentity.withoutMemberDimensions(ours)
                .equals(TypeIdentity.withoutMemberDimensions(judges));
    return isOneElement ? Optional.of(MEMBER_DIMENSIONS) : Optional.empty();
  }

  /**
   * {@return why elements of a dataset cannot be compared; empty if they can}
   *
   * @param dataset the dataset as read by the other engine
   */
  Optional<String> ofElements(Dataset dataset) {
    if (!isJhdf || !(dataset.options().layout() instanceof Layout.Chunked chunked)) {
      return Optional.empty();
    }
    String index = dataset.datasetInfo().storage().chunkIndex();
    boolean isArray = index.equals("extensible array") || index.equals("fixed array");
    return isArray && dependsOnMaximum(dataset.space(), chunked.dimsArray())
        ? Optional.of(CHUNKS_BY_EXTENT)
        : Optional.empty();
  }

  /**
   * Returns whether chunks in the order of the index, which counts those of the greatest extent and
   * an unlimited dimension first, are not in the order of the present extent.
   */
  private static boolean dependsOnMaximum(Dataspace space, long[] chunk) {
    for (int axis = 1; axis < space.rank(); axis++) {
      long most = space.maxDim(axis);
      boolean isUnlimited = most == Dataspace.UNLIMITED;
      if (isUnlimited
          || Math.ceilDiv(most, chunk[axis]) != Math.ceilDiv(space.dim(axis), chunk[axis])) {
        return true;
      }
    }
    return false;
  }

  /**
   * {@return why values differ; empty if that is a difference, at least in part}
   *
   * @param ours the value as read by the other engine
   * @param judges the value as read by this engine
   */
  Optional<String> ofValues(Object ours, Object judges) {
    if (!isJhdf) {
      return Optional.empty();
    }
    if (ours == null) {
      return "".equals(judges) ? Optional.of(NO_EMPTY_TEXT) : Optional.empty();
    }
    if (ours instanceof String mine && judges instanceof String other) {
      boolean isUndecoded = hasUndecoded(mine) && other.indexOf(REPLACEMENT) >= 0;
      return isUndecoded ? Optional.of(ONLY_UTF8) : Optional.empty();
    }
    if (ours instanceof Map<?, ?> mine && judges instanceof Map<?, ?> other) {
      return mine.keySet().equals(other.keySet())
          ? ofParts(
              mine.keySet().stream().<Object>map(mine::get).toList(),
              mine.keySet().stream().<Object>map(other::get).toList())
          : Optional.empty();
    }
    if (ours instanceof List<?> mine && judges instanceof List<?> other) {
      return ofParts(mine, other);
    }
    return ours instanceof Object[] mine && judges instanceof Object[] other
        ? ofParts(Arrays.asList(mine), Arrays.asList(other))
        : Optional.empty();
  }

  /** Returns why parts differ, if there is a reason for each that does. */
  private Optional<String> ofParts(List<?> ours, List<?> judges) {
    if (ours.size() != judges.size()) {
      return Optional.empty();
    }
    Optional<String> any = Optional.empty();
    Iterator<?> others = judges.iterator();
    for (Object mine : ours) {
      Object other = others.next();
      if (!FileComparison.equal(mine, other)) {
        Optional<String> reason = ofValues(mine, other);
        if (reason.isEmpty()) {
          return reason;
        }
        any = reason;
      }
    }
    return any;
  }

  /** Returns whether a text has bytes that are not UTF-8, which are kept as lone surrogates. */
  private static boolean hasUndecoded(String text) {
    return text.codePoints().anyMatch(each -> each >= 0xD800 && each <= 0xDFFF);
  }
}
