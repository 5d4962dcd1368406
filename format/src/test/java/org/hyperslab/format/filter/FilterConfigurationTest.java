package org.hyperslab.format.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.filter.ElementLayout.NumberClass;
import org.junit.jupiter.api.Test;

/**
 * Tests that the client data computed here equal those that the HDF5 library stored for the same
 * dataset.
 */
class FilterConfigurationTest {

  private static final Map<String, GoldenChunks.Chunk> GOLDEN =
      GoldenChunks.load("golden").stream()
          .collect(Collectors.toMap(chunk -> chunk.name, Function.identity()));

  private static ElementLayout integer(int size, ByteOrder order, boolean signed) {
    return ElementLayout.Number.full(NumberClass.INTEGER, size, order, signed);
  }

  private static ElementLayout little(int size, int offset, int precision) {
    return new ElementLayout.Number(
        NumberClass.INTEGER, size, ByteOrder.LITTLE_ENDIAN, true, offset, precision);
  }

  private static FilterContext chunk(ElementLayout element, long... dimensions) {
    return FilterContext.of(element, Arrays.stream(dimensions).boxed().toList());
  }

  private static FilterContext withFill(FilterContext context, byte... fill) {
    return new FilterContext(
        context.element(),
        context.chunkDimensions(),
        fill.length == 0 ? Optional.empty() : Optional.of(new FilterContext.FillBytes(fill)));
  }

  private static void check(String golden, FilterContext context, int... user) {
    FilterStage library = GOLDEN.get(golden).stages.getLast();
    FilterStage asked = FilterStage.optional(library.id(), user);
    assertThat(FilterPipeline.of(List.of(asked)).configured(context).stages())
        .as(golden)
        .containsExactly(library);
  }

  @Test
  void shuffleTakesTheElementSize() {
    check("shuffle-i2", chunk(integer(2, ByteOrder.LITTLE_ENDIAN, true), 101));
  }

  /** The parameters come from an existing dataset, whose options a new dataset copies. */
  @Test
  void bitshuffleKeepsParametersThatAreAlreadyComplete() {
    FilterContext context = chunk(integer(4, ByteOrder.LITTLE_ENDIAN, true), 32, 64);
    FilterPipeline once =
        FilterPipeline.of(List.of(FilterStage.optional(32008, 64, 3, 9))).configured(context);
    assertThat(once.stages()).containsExactly(FilterStage.optional(32008, 0, 4, 4, 64, 3, 9));
    assertThat(once.configured(context).stages()).isEqualTo(once.stages());
  }

  /** As the library's filter does: programs tell by their number which values were given. */
  @Test
  void bloscKeepsTheNumberOfItsParameters() {
    FilterContext context = chunk(integer(4, ByteOrder.LITTLE_ENDIAN, true), 16);
    for (int given : new int[] {4, 6, 7}) {
      FilterStage stage = FilterStage.optional(32001, new int[given]);
      FilterPipeline made = FilterPipeline.of(List.of(stage)).configured(context);
      assertThat(made.stages().getFirst().clientData()).hasSize(given).startsWith(2, 2, 4, 64);
    }
  }

  @Test
  void szipTakesLinesFromTheChunk() {
    ElementLayout u2 = integer(2, ByteOrder.LITTLE_ENDIAN, false);
    ElementLayout i2 = integer(2, ByteOrder.BIG_ENDIAN, true);
    ElementLayout f8 =
        ElementLayout.Number.full(NumberClass.FLOAT, 8, ByteOrder.LITTLE_ENDIAN, true);
    check("szip-leu2-nn-8", chunk(u2, 37, 41), 32, 8);
    check("szip-bei2-ec-16", chunk(i2, 20, 64), 4, 16);
    check("szip-lef8-nn-32", chunk(f8, 10, 5, 11), 32, 32);
    check("szip-leu2-ec-2", chunk(u2, 300), 4, 2);
    check("szip-runs", chunk(u2, 5400), 32, 8);
    check(
        "szip-20-bits",
        chunk(
            new ElementLayout.Number(NumberClass.INTEGER, 4, ByteOrder.LITTLE_ENDIAN, false, 0, 20),
            640),
        32,
        16);
  }

  @Test
  void nbitDescribesTheDatatype() {
    check("nbit-le-4-16-8", chunk(little(4, 8, 16), 77));
    check("nbit-le-8-64-0", chunk(little(8, 0, 64), 77));
    check("nbit-array", chunk(new ElementLayout.Array(24, little(4, 3, 11)), 20));
    ElementLayout pair =
        new ElementLayout.Compound(
            12,
            List.of(
                new ElementLayout.Member(0, little(4, 2, 9)),
                new ElementLayout.Member(
                    6,
                    new ElementLayout.Number(
                        NumberClass.INTEGER, 2, ByteOrder.BIG_ENDIAN, true, 1, 5))));
    ElementLayout.Member n = new ElementLayout.Member(0, little(8, 4, 33));
    ElementLayout.Member s = new ElementLayout.Member(8, new ElementLayout.Other(5));
    ElementLayout.Member p = new ElementLayout.Member(16, new ElementLayout.Array(24, pair));
    ElementLayout.Member x = new ElementLayout.Member(40, little(4, 1, 30));
    check("nbit-compound", chunk(new ElementLayout.Compound(48, List.of(n, s, x, p)), 15));
    FilterContext losing = chunk(new ElementLayout.Compound(48, List.of(n, s, p, x)), 15);
    FilterPipeline mandatory = FilterPipeline.of(List.of(FilterStage.mandatory(5)));
    assertThatThrownBy(() -> mandatory.configured(losing))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("lose");
  }

  @Test
  void scaleOffsetKeepsTheFillValue() {
    FilterContext i4 = chunk(integer(4, ByteOrder.LITTLE_ENDIAN, true), 99);
    FilterContext u8 = chunk(integer(8, ByteOrder.BIG_ENDIAN, false), 99);
    FilterContext i2 = chunk(integer(2, ByteOrder.BIG_ENDIAN, true), 99);
    check("scale-lei4-auto", withFill(i4), 2, 0);
    check("scale-lei4-fill", withFill(i4, (byte) 100, (byte) 0, (byte) 0, (byte) 0), 2, 0);
    check("scale-beu8-fill", withFill(u8, new byte[] {0, 0, 0, 0, 0, 0, 0, 100}), 2, 0);
    check("scale-bei2-fill", withFill(i2, (byte) 0, (byte) 100), 2, 0);
    ElementLayout f4 = ElementLayout.Number.full(NumberClass.FLOAT, 4, ByteOrder.BIG_ENDIAN, true);
    check("scale-bef4-fill", chunk(f4, 99), 0, 2);
  }

  @Test
  void scaleOffsetOfAnotherScaleTypeIsLeftOutWhereItIsOptional() {
    FilterContext i4 = chunk(integer(4, ByteOrder.LITTLE_ENDIAN, true), 99);
    int floatingScale = 1;
    FilterPipeline optional = FilterPipeline.of(List.of(FilterStage.optional(6, floatingScale, 2)));
    FilterPipeline mandatory =
        FilterPipeline.of(List.of(FilterStage.mandatory(6, floatingScale, 2)));
    assertThat(optional.configured(i4).isEmpty()).isTrue();
    assertThatThrownBy(() -> mandatory.configured(i4))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("scale type 2");
  }

  @Test
  void registeredFiltersFillInTheirOwnValues() {
    ElementLayout f8 =
        ElementLayout.Number.full(NumberClass.FLOAT, 8, ByteOrder.LITTLE_ENDIAN, true);
    check("shuffle-lzf", chunk(f8, 700));
    check("blosc-zstd-2-lef8", chunk(f8, 2500), 0, 0, 0, 0, 5, 2, 5);
    int[] made =
        FilterPipeline.of(List.of(FilterStage.optional(32008, 0, 2)))
            .configured(chunk(f8, 2003))
            .stages()
            .getFirst()
            .clientDataArray();
    assertThat(made).startsWith(0).endsWith(8, 0, 2).hasSize(5);
  }

  @Test
  void refusesDatatypesThatCannotBeFiltered() {
    FilterContext text = chunk(new ElementLayout.Other(5), 100);
    for (int id : new int[] {4, 6}) {
      FilterPipeline pipeline = FilterPipeline.of(List.of(FilterStage.mandatory(id, 32, 8)));
      assertThatThrownBy(() -> pipeline.configured(text)).isInstanceOf(InvalidUseException.class);
    }
  }
}
