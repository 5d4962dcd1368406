package org.hyperslab.plugins.codec;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.model.AllocationTime;
import org.hyperslab.model.Durability;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.GroupInfo;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.Locking;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.model.SpaceStrategy;
import org.hyperslab.model.StepPage;

/**
 * The numbers that stand for the constants of an enumeration in messages and journals. A number
 * keeps its meaning for ever: a new constant gets the next number, wherever it is declared, and the
 * number of a constant that is removed is not given to another.
 *
 * <p>Thread rule: immutable.
 */
final class WireNumbers<E extends Enum<E>> {

  static final WireNumbers<Locking> LOCKING =
      new WireNumbers<>(
          Locking.class, List.of(Locking.DEFAULT, Locking.ON, Locking.OFF, Locking.BEST_EFFORT));

  static final WireNumbers<Durability> DURABILITY =
      new WireNumbers<>(Durability.class, List.of(Durability.POWER_CUT, Durability.PROCESS));

  static final WireNumbers<FormatVersion> FORMAT_VERSION =
      new WireNumbers<>(
          FormatVersion.class,
          List.of(
              FormatVersion.EARLIEST,
              FormatVersion.V18,
              FormatVersion.V110,
              FormatVersion.V112,
              FormatVersion.V114,
              FormatVersion.V200));

  static final WireNumbers<CharacterSet> CHARACTER_SET =
      new WireNumbers<>(CharacterSet.class, List.of(CharacterSet.ASCII, CharacterSet.UTF8));

  static final WireNumbers<IterationIndex> INDEX =
      new WireNumbers<>(
          IterationIndex.class, List.of(IterationIndex.NAME, IterationIndex.CREATION_ORDER));

  static final WireNumbers<AllocationTime> ALLOCATION_TIME =
      new WireNumbers<>(
          AllocationTime.class,
          List.of(
              AllocationTime.DEFAULT,
              AllocationTime.EARLY,
              AllocationTime.LATE,
              AllocationTime.INCREMENTAL));

  static final WireNumbers<FillValue.Time> FILL_TIME =
      new WireNumbers<>(
          FillValue.Time.class,
          List.of(FillValue.Time.ON_ALLOCATION, FillValue.Time.NEVER, FillValue.Time.IF_SET));

  static final WireNumbers<SpaceStrategy.Kind> SPACE_STRATEGY =
      new WireNumbers<>(
          SpaceStrategy.Kind.class,
          List.of(
              SpaceStrategy.Kind.FREE_SPACE,
              SpaceStrategy.Kind.PAGE,
              SpaceStrategy.Kind.AGGREGATION,
              SpaceStrategy.Kind.NONE));

  static final WireNumbers<StepPage.Writer> STEP_WRITER =
      new WireNumbers<>(
          StepPage.Writer.class,
          List.of(StepPage.Writer.WRITING, StepPage.Writer.ENDED, StepPage.Writer.LOST));

  static final WireNumbers<ObjectKind> OBJECT_KIND =
      new WireNumbers<>(
          ObjectKind.class,
          List.of(ObjectKind.GROUP, ObjectKind.DATASET, ObjectKind.COMMITTED_TYPE));

  static final WireNumbers<GroupInfo.Storage> GROUP_STORAGE =
      new WireNumbers<>(
          GroupInfo.Storage.class,
          List.of(
              GroupInfo.Storage.SYMBOL_TABLE,
              GroupInfo.Storage.COMPACT,
              GroupInfo.Storage.DENSE,
              GroupInfo.Storage.UNKNOWN));

  static final WireNumbers<LinkKind> LINK_KIND =
      new WireNumbers<>(
          LinkKind.class,
          List.of(LinkKind.HARD, LinkKind.SOFT, LinkKind.EXTERNAL, LinkKind.USER_DEFINED));

  private final Class<E> type;
  private final List<E> byNumber;
  private final Map<E, Integer> numbers;

  /**
   * Gives numbers to constants.
   *
   * @param type the enumeration
   * @param byNumber its constants, each at the index that is its number
   */
  WireNumbers(Class<E> type, List<E> byNumber) {
    this.type = type;
    this.byNumber = new ArrayList<>(byNumber);
    this.numbers = new EnumMap<>(type);
    for (int number = 0; number < byNumber.size(); number++) {
      numbers.put(byNumber.get(number), number);
    }
    if (numbers.size() != byNumber.size() || numbers.size() != type.getEnumConstants().length) {
      throw new IllegalArgumentException(
          type.getSimpleName() + ": actual=" + numbers + ", expected=one number a constant");
    }
  }

  /** {@return the number of a constant} */
  int of(E constant) {
    return numbers.get(constant);
  }

  /**
   * Returns the constant with a number, which a hostile or newer writer may have chosen.
   *
   * @throws org.hyperslab.error.CorruptFileException if there is none
   */
  E constant(int number) {
    if (number < 0 || number >= byNumber.size()) {
      throw MalformedMessage.of(
          type.getSimpleName(),
          "number actual=" + number + ", expected=0.." + (byNumber.size() - 1));
    }
    return byNumber.get(number);
  }
}
