package org.hyperslab.mpiio.datatype;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

final class DerivedTypeTest {

  private static final LongList ONE = LongList.of(1);

  @Test
  void keepsABillionBlocksCompressed() {
    DerivedType column = DerivedType.vector(1_000_000_000, 1, 4, DerivedType.DOUBLE);
    assertThat(column.size()).isEqualTo(8_000_000_000L);
    assertThat(column.extent()).isEqualTo(32L * 999_999_999 + 8);
    assertThat(column.map().runs()).isEqualTo(1_000_000_000);
    assertThat(column.map().offsetAt(8_000_000_000L - 1)).isEqualTo(column.extent() - 1);
    assertThat(column.map().packedBefore(column.extent() - 8)).isEqualTo(8L * 999_999_999);
    TypeMapCursor runs = column.map().runs(7_999_999_988L, 8_000_000_000L);
    assertThat(runs.next()).isTrue();
    assertThat(runs.offset()).isEqualTo(32L * 999_999_998 + 4);
    assertThat(runs.length()).isEqualTo(4);
    assertThat(runs.next()).isTrue();
    assertThat(runs.next()).isFalse();
  }

  @Test
  void recognisesDenseTypes() {
    assertThat(DerivedType.vector(8, 2, 2, DerivedType.INT32).map().isDense()).isTrue();
    DerivedType row =
        DerivedType.subarray(
            LongList.of(4, 6),
            LongList.of(2, 6),
            LongList.of(1, 0),
            ArrayOrder.C,
            DerivedType.DOUBLE);
    assertThat(row.map().isDense()).isTrue();
    assertThat(row.map().low()).isEqualTo(48);
    DerivedType listed = DerivedType.indexedBlock(1, LongList.of(0, 2, 4, 6), DerivedType.INT16);
    assertThat(listed.map()).isInstanceOf(TypeMap.Repeated.class);
  }

  @Test
  void marksOfResizedMembersOverrideTheBoundsOfTheData() {
    DerivedType marked = DerivedType.resized(-8, 32, DerivedType.INT32);
    DerivedType mixed =
        DerivedType.struct(
            LongList.of(1, 1), LongList.of(100, 0), List.of(marked, DerivedType.DOUBLE));
    assertThat(mixed.lowerBound()).isEqualTo(92);
    assertThat(mixed.upperBound()).isEqualTo(124);
    assertThat(mixed.trueLowerBound()).isZero();
    assertThat(mixed.trueExtent()).isEqualTo(104);
  }

  @Test
  void roundsTheExtentUpToTheStrictestAlignment() {
    DerivedType padded =
        DerivedType.struct(
            LongList.of(1, 1), LongList.of(0, 8), List.of(DerivedType.DOUBLE, DerivedType.BYTE));
    assertThat(padded.size()).isEqualTo(9);
    assertThat(padded.extent()).isEqualTo(16);
  }

  @Test
  void refusesInvalidValues() {
    List<Runnable> wrong =
        List.of(
            () -> DerivedType.contiguous(-1, DerivedType.BYTE),
            () -> DerivedType.contiguous(Long.MAX_VALUE, DerivedType.DOUBLE),
            () -> DerivedType.vector(3, -1, 1, DerivedType.BYTE),
            () -> DerivedType.vector(3, 1, Long.MAX_VALUE / 2, DerivedType.DOUBLE),
            () -> DerivedType.hindexed(LongList.of(1, 2), ONE, DerivedType.BYTE),
            () -> DerivedType.hindexed(ONE, LongList.of(Long.MAX_VALUE), DerivedType.BYTE),
            () -> DerivedType.subarray(ONE, LongList.of(2), ONE, ArrayOrder.C, DerivedType.BYTE),
            () -> DerivedType.subarray(ONE, LongList.of(0), ONE, ArrayOrder.C, DerivedType.BYTE),
            () -> darray(4, 4, DimensionDistribution.block(), 10),
            () -> darray(0, 2, DimensionDistribution.block(4), 10),
            () -> darray(0, 2, DimensionDistribution.cyclic(0), 10),
            () -> darray(0, 2, DimensionDistribution.random(0), 10),
            () -> darray(4, 4, DimensionDistribution.balanced(), 10),
            () -> darray(0, 2, DimensionDistribution.none(), 10));
    for (int i = 0; i < wrong.size(); i++) {
      assertThatThrownBy(wrong.get(i)::run)
          .as("case %d", i)
          .isInstanceOf(InvalidUseException.class);
    }
  }

  @Test
  void processBeyondTheBlocksHasNoElements() {
    DerivedType last = darray(2, 4, DimensionDistribution.block(), 5);
    assertThat(last.size()).isEqualTo(8);
    DerivedType none = darray(3, 4, DimensionDistribution.block(2), 6);
    assertThat(none.size()).isZero();
    assertThat(none.extent()).isEqualTo(48);
  }

  @Test
  void balancedBlocksDifferByAnElement() {
    for (int process = 0; process < 8; process++) {
      DerivedType part = darray(process, 8, DimensionDistribution.balanced(), 25);
      assertThat(part.size()).isEqualTo(process == 0 ? 32 : 24);
      assertThat(part.trueLowerBound()).isEqualTo(process == 0 ? 0 : 8 * (3L * process + 1));
      assertThat(part.extent()).isEqualTo(200);
    }
  }

  /** Every element of an array belongs to one process, and has ascending places in its type. */
  @Test
  void distributionsThatMpiLacksDivideArrays() {
    Seeds.runFixed(
        100,
        random -> {
          LongList sizes = LongList.of(1 + random.nextInt(9), 1 + random.nextInt(9));
          LongList grid = LongList.of(1 + random.nextInt(3), 1 + random.nextInt(3));
          List<DimensionDistribution> how =
              List.of(
                  DimensionDistribution.random(1 + random.nextInt(3)),
                  random.nextBoolean()
                      ? DimensionDistribution.balanced()
                      : DimensionDistribution.cyclic(2));
          ArrayOrder order = random.nextBoolean() ? ArrayOrder.C : ArrayOrder.FORTRAN;
          int elements = (int) (sizes.get(0) * sizes.get(1));
          int[] owners = new int[8 * elements];
          for (int process = 0; process < grid.get(0) * grid.get(1); process++) {
            DerivedType part =
                DerivedType.darray(
                    new TypeConstructor.Place(process, grid, order),
                    sizes,
                    how,
                    DerivedType.DOUBLE);
            assertThat(part.extent()).isEqualTo(8L * elements);
            long end = 0;
            for (TypeMapCursor runs = part.map().cursor(); runs.next(); ) {
              assertThat(runs.offset()).isGreaterThanOrEqualTo(end);
              end = runs.offset() + runs.length();
              for (long i = runs.offset(); i < end; i++) {
                owners[(int) i]++;
              }
            }
          }
          assertThat(owners).containsOnly(1);
        });
  }

  @Test
  void countsElementsInPartsOfMixedTypes() {
    Signature signature =
        DerivedType.struct(
                LongList.of(2, 1),
                LongList.of(0, 8),
                List.of(DerivedType.INT32, DerivedType.DOUBLE))
            .signature();
    assertThat(signature.elementsIn(3)).isZero();
    assertThat(signature.elementsIn(9)).isEqualTo(2);
    assertThat(signature.elementsIn(16 + 15)).isEqualTo(5);
    assertThat(signature.elementsIn(32)).isEqualTo(6);
  }

  @Test
  void positionsAndOffsetsAgreeWithTheRuns() {
    Seeds.runFixed(
        300,
        random -> {
          RandomTypes types = new RandomTypes(random);
          TypeMap map =
              random.nextBoolean()
                  ? types.any(3).map()
                  : types.ascending(types.elementary(), 4).map().repeated(3, 3, 1 << 17);
          List<Long> places = new ArrayList<>();
          for (TypeMapCursor runs = map.cursor(); runs.next(); ) {
            assertThat(runs.position()).isEqualTo(places.size());
            for (long i = 0; i < runs.length(); i++) {
              places.add(runs.offset() + i);
            }
          }
          assertThat(places).hasSize((int) map.size());
          boolean ascending = true;
          for (int i = 1; i < places.size(); i++) {
            ascending &= places.get(i) > places.get(i - 1);
          }
          assertThat(map.ascending() && !ascending).isFalse();
          for (int i = 0; i < places.size(); i += 1 + random.nextInt(7)) {
            assertThat(map.offsetAt(i)).isEqualTo(places.get(i));
            if (map.ascending()) {
              assertThat(map.packedBefore(places.get(i))).isEqualTo(i);
              assertThat(map.packedBefore(places.get(i) + 1)).isEqualTo(i + 1);
            }
          }
          int from = random.nextInt(places.size() + 1);
          int to = from + random.nextInt(places.size() + 1 - from);
          TypeMapCursor runs = map.runs(0, to);
          runs.seek(from);
          List<Long> part = new ArrayList<>();
          while (runs.next()) {
            for (long i = 0; i < runs.length(); i++) {
              part.add(runs.offset() + i);
            }
          }
          assertThat(part).isEqualTo(places.subList(from, to));
        });
  }

  private static DerivedType darray(
      int rank, long processes, DimensionDistribution how, long size) {
    TypeConstructor.Place place =
        new TypeConstructor.Place(rank, LongList.of(processes), ArrayOrder.C);
    return DerivedType.darray(place, LongList.of(size), List.of(how), DerivedType.DOUBLE);
  }
}
