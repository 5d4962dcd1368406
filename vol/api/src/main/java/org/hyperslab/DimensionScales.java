package org.hyperslab;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.Reference;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;
import org.hyperslab.model.ObjectToken;

/**
 * Manages dimension scales: datasets that hold coordinates along a dimension of other datasets.
 * They follow the attribute convention of HDF5's high-level library, h5py and netCDF-4.
 *
 * <p>A scale carries {@code CLASS} = "DIMENSION_SCALE", perhaps {@code NAME}, and {@code
 * REFERENCE_LIST}, which refers back to the datasets that use it; a dataset carries {@code
 * DIMENSION_LIST}, the scales of each dimension, and perhaps {@code DIMENSION_LABELS}.
 *
 * <p>An attribute of such a name that has another type is an ordinary attribute: it says nothing
 * about scales, and is never replaced or deleted by these methods.
 *
 * <p>Thread rule: calls that change the same datasets must not overlap. Source: hl/src/H5DS.c.
 */
public final class DimensionScales {

  private static final String CLASS = "CLASS";
  private static final String CLASS_VALUE = "DIMENSION_SCALE";
  private static final String NAME = "NAME";
  private static final String DIMENSION_LIST = "DIMENSION_LIST";
  private static final String REFERENCE_LIST = "REFERENCE_LIST";
  private static final String LABELS = "DIMENSION_LABELS";
  private static final String DATASET_MEMBER = "dataset";
  private static final String DIMENSION_MEMBER = "dimension";

  /** As the C library's struct of an address and an int, with its padding. */
  private static final CompoundType BACK_REFERENCE =
      CompoundType.builder()
          .member(DATASET_MEMBER, 0, Datatypes.OBJECT_REFERENCE)
          .member(DIMENSION_MEMBER, 8, Datatypes.NATIVE_INT)
          .size(16)
          .build();

  private DimensionScales() {}

  /**
   * Turns a dataset into a scale without a name.
   *
   * @param dataset the dataset, open
   */
  public static void makeScale(Dataset dataset) {
    if (hasScales(dataset)) {
      throw new InvalidUseException(
          "dimension scale: actual=a dataset with attached scales, expected=a dataset without, at="
              + dataset.path());
    }
    setText(dataset, CLASS, CLASS_VALUE);
  }

  /**
   * Turns a dataset into a scale with a name.
   *
   * @param dataset the dataset, open
   * @param name the name
   * @throws InvalidUseException if the dataset has scales itself
   */
  public static void makeScale(Dataset dataset, String name) {
    makeScale(dataset);
    setText(dataset, NAME, name);
  }

  /**
   * {@return whether a dataset is a scale}
   *
   * @param dataset the dataset, open
   */
  public static boolean isScale(Dataset dataset) {
    return text(dataset, CLASS).filter(CLASS_VALUE::equals).isPresent();
  }

  /**
   * {@return the name of a scale, if it has one}
   *
   * @param scale the dimension scale, open
   */
  public static Optional<String> name(Dataset scale) {
    return text(scale, NAME);
  }

  /**
   * A scale, and the dimension of a dataset that it is for.
   *
   * @param dataset the dataset, open
   * @param dimension the dimension, counted from 0, the slowest
   * @param scale the dimension scale, open
   */
  public record Attachment(Dataset dataset, int dimension, Dataset scale) {}

  /**
   * Attaches a scale to a dimension, after the scales that it has. Does nothing if the scale is
   * attached there already. A dataset that is not yet a scale becomes one without a name.
   *
   * @param dataset the dataset, open
   * @param dimension from 0
   * @param scale the dimension scale, open
   * @throws InvalidUseException if the dataset is a scale, or the scale has scales, or there is no
   *     such dimension, or they are in different files
   */
  public static void attach(Dataset dataset, int dimension, Dataset scale) {
    attachAll(List.of(new Attachment(dataset, dimension, scale)));
  }

  /**
   * Attaches many scales, each as {@link #attach} does, in the order given. Every list of scales
   * and of users is read and written once, so that a file of many datasets takes time in proportion
   * to their number.
   *
   * @param attachments what to attach
   * @throws InvalidUseException as by {@link #attach}, before anything is changed
   */
  public static void attachAll(List<Attachment> attachments) {
    attachments.forEach(each -> checkPair(each.dataset, each.dimension, each.scale));
    Map<Long, List<Attachment>> byDataset = new LinkedHashMap<>();
    for (Attachment each : attachments) {
      byDataset.computeIfAbsent(token(each.dataset), token -> new ArrayList<>()).add(each);
    }
    Map<Long, List<Attachment>> added = new LinkedHashMap<>();
    for (List<Attachment> ofOne : byDataset.values()) {
      for (Attachment each : attachToOne(ofOne)) {
        added.computeIfAbsent(token(each.scale), token -> new ArrayList<>()).add(each);
      }
    }
    added.values().forEach(DimensionScales::addUsers);
  }

  /** Adds to the lists of one dataset; returns what was not there. */
  private static List<Attachment> attachToOne(List<Attachment> ofOne) {
    Dataset dataset = ofOne.getFirst().dataset;
    List<List<Reference>> lists = scaleReferences(dataset);
    List<Attachment> added = new ArrayList<>();
    for (Attachment each : ofOne) {
      Reference toScale = each.scale.referenceFor(dataset);
      if (!isScale(each.scale)) {
        makeScale(each.scale);
      }
      if (!lists.get(each.dimension).contains(toScale)) {
        lists.get(each.dimension).add(toScale);
        added.add(each);
      }
    }
    if (!added.isEmpty()) {
      writeDimensionLists(dataset, lists);
    }
    return added;
  }

  private static void addUsers(List<Attachment> ofOneScale) {
    Dataset scale = ofOneScale.getFirst().scale;
    List<Map<String, Object>> users = users(scale);
    for (Attachment each : ofOneScale) {
      Reference user = each.dataset.referenceFor(scale);
      users.add(Map.of(DATASET_MEMBER, user, DIMENSION_MEMBER, each.dimension));
    }
    writeUsers(scale, users);
  }

  /**
   * Puts a scale in the place of another, in every dimension to which that one is attached. The old
   * one is an ordinary dataset afterwards.
   *
   * @param scale the scale to replace, open
   * @param replacement the new one, open; becomes a scale without a name if it is none
   * @throws InvalidUseException if the replacement has scales itself, or is the same dataset
   */
  public static void replace(Dataset scale, Dataset replacement) {
    checkPair(replacement, scale);
    if (!isScale(replacement)) {
      makeScale(replacement);
    }
    List<Map<String, Object>> users = users(scale);
    Set<Long> done = new HashSet<>();
    for (Map<String, Object> user : users) {
      long token = ((Reference) Objects.requireNonNull(user.get(DATASET_MEMBER))).token();
      if (!done.add(token)) {
        continue;
      }
      try (H5Object object = H5Object.byToken(scale, new ObjectToken(token))) {
        if (object instanceof Dataset dataset) {
          Reference old = scale.referenceFor(dataset);
          List<List<Reference>> lists = scaleReferences(dataset);
          lists.forEach(
              list -> Collections.replaceAll(list, old, replacement.referenceFor(dataset)));
          writeDimensionLists(dataset, lists);
        }
      }
    }
    List<Map<String, Object>> all = users(replacement);
    all.addAll(users);
    writeUsers(replacement, all);
    writeUsers(scale, List.of());
    for (String attribute : List.of(NAME, CLASS)) {
      if (scale.hasAttribute(attribute)) {
        scale.deleteAttribute(attribute);
      }
    }
  }

  /**
   * Detaches every scale from every dimension of a dataset.
   *
   * @param dataset the dataset, open
   */
  public static void detachAll(Dataset dataset) {
    long token = token(dataset);
    Set<Long> done = new HashSet<>();
    for (List<Reference> list : scaleReferences(dataset)) {
      for (Reference reference : list) {
        if (!done.add(reference.token())) {
          continue;
        }
        try (H5Object object = H5Object.byToken(dataset, new ObjectToken(reference.token()))) {
          if (object instanceof Dataset scale) {
            List<Map<String, Object>> users = users(scale);
            users.removeIf(
                user -> user.get(DATASET_MEMBER) instanceof Reference to && to.token() == token);
            writeUsers(scale, users);
          }
        }
      }
    }
    if (hasScales(dataset)) {
      dataset.deleteAttribute(DIMENSION_LIST);
    }
  }

  /**
   * Detaches a scale from a dimension.
   *
   * @param dataset the dataset, open
   * @param dimension the dimension, counted from 0, the slowest
   * @param scale the dimension scale, open
   * @throws InvalidUseException if it is not attached there
   */
  public static void detach(Dataset dataset, int dimension, Dataset scale) {
    if (!isAttached(dataset, dimension, scale)) {
      throw new InvalidUseException(
          "dimension scale to detach: actual="
              + scale.path()
              + " is not attached, expected=a scale of dimension "
              + dimension
              + " of "
              + dataset.path());
    }
    List<List<Reference>> lists = scaleReferences(dataset);
    lists.get(dimension).remove(scale.referenceFor(dataset));
    writeDimensionLists(dataset, lists);
    long token = dataset.token().address();
    List<Map<String, Object>> users = users(scale);
    users.removeIf(user -> isUse(user, token, dimension));
    writeUsers(scale, users);
  }

  /**
   * {@return whether a scale is attached to a dimension}
   *
   * @param dataset the dataset, open
   * @param dimension the dimension, counted from 0, the slowest
   * @param scale the dimension scale, open
   */
  public static boolean isAttached(Dataset dataset, int dimension, Dataset scale) {
    checkDimension(dataset, dimension);
    return scale.fileNumber() == dataset.fileNumber()
        && scaleReferences(dataset).get(dimension).contains(scale.referenceFor(dataset));
  }

  /**
   * {@return the scales of a dimension, opened, in the order of attachment; the caller closes them}
   *
   * @param dataset the dataset, open
   * @param dimension the dimension, counted from 0, the slowest
   * @throws org.hyperslab.error.NotFoundException if a scale was deleted without being detached
   *     first: the dimension still refers to it, as it does with the HDF5 library
   */
  public static List<Dataset> scales(Dataset dataset, int dimension) {
    checkDimension(dataset, dimension);
    List<Dataset> scales = new ArrayList<>();
    for (Reference reference : scaleReferences(dataset).get(dimension)) {
      H5Object scale = H5Object.byToken(dataset, new ObjectToken(reference.token()));
      if (scale instanceof Dataset found) {
        scales.add(found);
      }
    }
    return scales;
  }

  /**
   * {@return how many scales a dimension has}
   *
   * @param dataset the dataset, open
   * @param dimension the dimension, counted from 0, the slowest
   */
  public static int scaleCount(Dataset dataset, int dimension) {
    checkDimension(dataset, dimension);
    return scaleReferences(dataset).get(dimension).size();
  }

  /**
   * Sets the label of a dimension.
   *
   * @param dataset the dataset, open
   * @param dimension the dimension, counted from 0, the slowest
   * @param label the label
   */
  public static void setLabel(Dataset dataset, int dimension, String label) {
    checkDimension(dataset, dimension);
    String[] labels = labels(dataset);
    requireFree(dataset, LABELS, hasLabels(dataset));
    labels[dimension] = label;
    dataset.setAttribute(LABELS, labels, Datatypes.vlenString(CharacterSet.ASCII));
  }

  /**
   * {@return the label of a dimension, if it has one that is not empty}
   *
   * @param dataset the dataset, open
   * @param dimension the dimension, counted from 0, the slowest
   */
  public static Optional<String> label(Dataset dataset, int dimension) {
    checkDimension(dataset, dimension);
    return Optional.of(labels(dataset)[dimension]).filter(label -> !label.isEmpty());
  }

  private static String[] labels(Dataset dataset) {
    String[] labels = new String[Math.max(1, dataset.rank())];
    Arrays.fill(labels, "");
    if (hasLabels(dataset)) {
      String[] stored = dataset.attribute(LABELS).readStrings();
      for (int i = 0; i < Math.min(labels.length, stored.length); i++) {
        labels[i] = stored[i] == null ? "" : stored[i];
      }
    }
    return labels;
  }

  private static boolean hasLabels(Dataset dataset) {
    return dataset.hasAttribute(LABELS) && isText(dataset.attribute(LABELS).type());
  }

  // --- the lists ---

  /** Returns whether a dataset has a list of scales, and not another attribute of that name. */
  private static boolean hasScales(Dataset dataset) {
    if (!dataset.hasAttribute(DIMENSION_LIST)) {
      return false;
    }
    Attribute list = dataset.attribute(DIMENSION_LIST);
    return list.space().rank() == 1
        && list.type() instanceof VlenType sequence
        && sequence.base() instanceof ReferenceType;
  }

  /** Returns whether a dataset has a list of users, and not another attribute of that name. */
  private static boolean hasUsers(Dataset scale) {
    if (!scale.hasAttribute(REFERENCE_LIST)) {
      return false;
    }
    Attribute list = scale.attribute(REFERENCE_LIST);
    return list.space().rank() == 1
        && list.type() instanceof CompoundType user
        && isMember(user, DATASET_MEMBER, ReferenceType.class)
        && isMember(user, DIMENSION_MEMBER, IntegerType.class);
  }

  private static boolean isMember(CompoundType type, String name, Class<?> kind) {
    return type.member(name).filter(member -> kind.isInstance(member.type())).isPresent();
  }

  private static void requireFree(Dataset dataset, String name, boolean isList) {
    if (!isList && dataset.hasAttribute(name)) {
      throw new InvalidUseException(
          "attribute "
              + name
              + ": actual="
              + dataset.attribute(name).type().describe()
              + ", expected=none, or the one of dimension scales; rename it first, at="
              + dataset.path());
    }
  }

  /**
   * Returns references to the scales of every dimension, without opening them.
   *
   * @param dataset the dataset, open
   * @return a list for each dimension, slowest first, in the order of attachment; lists that may be
   *     changed; one empty list for a scalar
   */
  public static List<List<Reference>> scaleReferences(Dataset dataset) {
    List<List<Reference>> lists = new ArrayList<>();
    for (int i = 0; i < Math.max(1, dataset.rank()); i++) {
      lists.add(new ArrayList<>());
    }
    if (hasScales(dataset)) {
      Reference[][] stored = dataset.attribute(DIMENSION_LIST).read(Reference[][].class);
      for (int i = 0; i < Math.min(lists.size(), stored.length); i++) {
        for (Reference reference : stored[i] == null ? new Reference[0] : stored[i]) {
          if (reference != null) {
            lists.get(i).add(reference);
          }
        }
      }
    }
    return lists;
  }

  private static void writeDimensionLists(Dataset dataset, List<List<Reference>> lists) {
    if (lists.stream().allMatch(List::isEmpty)) {
      dataset.deleteAttribute(DIMENSION_LIST);
      return;
    }
    Reference[][] stored =
        lists.stream().map(list -> list.toArray(new Reference[0])).toArray(Reference[][]::new);
    Datatype type = Datatypes.vlen(Datatypes.OBJECT_REFERENCE);
    dataset.setAttribute(DIMENSION_LIST, stored, type);
  }

  private static List<Map<String, Object>> users(Dataset scale) {
    List<Map<String, Object>> users = new ArrayList<>();
    if (hasUsers(scale)) {
      for (Map<?, ?> user : scale.attribute(REFERENCE_LIST).read(Map[].class)) {
        if (user.get(DATASET_MEMBER) instanceof Reference dataset) {
          users.add(Map.of(DATASET_MEMBER, dataset, DIMENSION_MEMBER, user.get(DIMENSION_MEMBER)));
        }
      }
    }
    return users;
  }

  private static void writeUsers(Dataset scale, List<Map<String, Object>> users) {
    if (!users.isEmpty()) {
      scale.setAttribute(REFERENCE_LIST, users.toArray(new Map<?, ?>[0]), BACK_REFERENCE);
    } else if (hasUsers(scale)) {
      scale.deleteAttribute(REFERENCE_LIST);
    }
  }

  private static boolean isUse(Map<String, Object> user, long token, int dimension) {
    return user.get(DATASET_MEMBER) instanceof Reference reference
        && reference.token() == token
        && user.get(DIMENSION_MEMBER) instanceof Number number
        && number.intValue() == dimension;
  }

  // --- checks and texts ---

  private static long token(Dataset dataset) {
    return dataset.token().address();
  }

  private static void checkPair(Dataset scale, Dataset replacement) {
    requireFree(replacement, REFERENCE_LIST, hasUsers(replacement));
    if (scale.isSameAs(replacement) || hasScales(replacement)) {
      throw new InvalidUseException(
          "replacement for the dimension scale "
              + scale.path()
              + ": actual="
              + replacement.path()
              + ", expected=another dataset without attached scales");
    }
  }

  private static void checkPair(Dataset dataset, int dimension, Dataset scale) {
    checkDimension(dataset, dimension);
    requireFree(dataset, DIMENSION_LIST, hasScales(dataset));
    requireFree(scale, REFERENCE_LIST, hasUsers(scale));
    if (dataset.isSameAs(scale) || isScale(dataset) || hasScales(scale)) {
      throw new InvalidUseException(
          "dimension scale to attach: actual="
              + scale.path()
              + " to "
              + dataset.path()
              + ", expected=a dataset that is not a scale, and a scale without attached scales");
    }
  }

  private static void checkDimension(Dataset dataset, int dimension) {
    int rank = Math.max(1, dataset.rank());
    if (dimension < 0 || dimension >= rank) {
      throw new InvalidUseException(
          "dimension: actual="
              + dimension
              + ", expected=0 to "
              + (rank - 1)
              + ", at="
              + dataset.path());
    }
  }

  private static void setText(Dataset dataset, String name, String text) {
    int bytes = NameBytes.encode(text).length + 1;
    CharacterSet charset = bytes == text.length() + 1 ? CharacterSet.ASCII : CharacterSet.UTF8;
    dataset.setAttribute(name, text, Datatypes.fixedString(bytes, StringPadding.NULLTERM, charset));
  }

  private static boolean isText(Datatype type) {
    return type instanceof StringType || type instanceof VlenStringType;
  }

  private static Optional<String> text(Dataset dataset, String name) {
    if (!dataset.hasAttribute(name)) {
      return Optional.empty();
    }
    Attribute attribute = dataset.attribute(name);
    return isText(attribute.type()) && attribute.space().elementCount() == 1
        ? Optional.ofNullable(attribute.readStrings()[0])
        : Optional.empty();
  }
}
