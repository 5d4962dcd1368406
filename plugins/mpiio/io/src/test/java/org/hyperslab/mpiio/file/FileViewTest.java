package org.hyperslab.mpiio.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.mpiio.access.ExtentList;
import org.hyperslab.mpiio.datatype.DerivedType;
import org.hyperslab.mpiio.datatype.ElementaryType;
import org.hyperslab.mpiio.datatype.LongList;
import org.hyperslab.mpiio.datatype.RandomTypes;
import org.hyperslab.mpiio.datatype.TypeMapCursor;
import org.hyperslab.mpiio.staged.AccessExtents;
import org.hyperslab.mpiio.staged.ViewExtents;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

final class FileViewTest {

  @Test
  void recordsTheTilingOfTheFile() {
    Seeds.runFixed(
        400,
        random -> {
          RandomTypes types = new RandomTypes(random);
          DerivedType etype = types.elementary();
          DerivedType filetype = types.ascending(etype, 1 + random.nextInt(4));
          long displacement = random.nextInt(50);
          FileView view;
          try {
            view = FileView.of(displacement, etype, filetype);
          } catch (InvalidUseException interleaved) {
            return;
          }
          if (filetype.size() == 0) {
            assertThat(view.byteOffset(7)).isEqualTo(displacement);
            return;
          }
          int tiles = 3;
          List<Long> model = model(displacement, filetype, tiles);
          long size = etype.size();
          for (int i = 0; i < model.size(); i += (int) size) {
            assertThat(view.byteOffset(i / size)).isEqualTo(model.get(i));
          }
          long etypes = model.size() / size;
          long from = random.nextLong(etypes + 1);
          long bytes = size * random.nextLong(etypes - from + 1);
          List<Long> expected = model.subList((int) (from * size), (int) (from * size + bytes));
          assertThat(places(AccessExtents.inFile(view, from, bytes))).isEqualTo(expected);
          long first = from * size;
          ExtentList lazy =
              new ViewExtents(
                  filetype.map().repeated(displacement, tiles, filetype.extent()),
                  first,
                  first + bytes);
          assertThat(places(lazy)).isEqualTo(expected);
          long end = random.nextLong(model.getLast() + 20);
          assertThat(view.available(from, bytes, end))
              .isEqualTo(expected.stream().filter(place -> place < end).count());
          long atEnd = view.end(end);
          assertThat(view.byteOffset(atEnd)).isGreaterThanOrEqualTo(end);
          assertThat(atEnd == 0 || view.byteOffset(atEnd - 1) < end).isTrue();
          if (bytes > 0) {
            long cut = random.nextLong(bytes + 1);
            assertThat(places(lazy.slice(cut, bytes)))
                .isEqualTo(expected.subList((int) cut, (int) bytes));
            long offset = random.nextLong(end + 1);
            assertThat(lazy.packedAt(offset))
                .isEqualTo(expected.stream().filter(place -> place < offset).count());
          }
        });
  }

  private static List<Long> model(long displacement, DerivedType filetype, int tiles) {
    List<Long> places = new ArrayList<>();
    for (long tile = 0; tile < tiles; tile++) {
      for (TypeMapCursor runs = filetype.map().cursor(); runs.next(); ) {
        for (long i = 0; i < runs.length(); i++) {
          places.add(displacement + tile * filetype.extent() + runs.offset() + i);
        }
      }
    }
    return places;
  }

  private static List<Long> places(ExtentList list) {
    List<Long> places = new ArrayList<>();
    for (ExtentList.Cursor cursor = list.cursor(); cursor.next(); ) {
      assertThat(cursor.packed()).isEqualTo(places.size());
      for (long i = 0; i < cursor.length(); i++) {
        places.add(cursor.offset() + i);
      }
    }
    assertThat(list.totalBytes()).isEqualTo(places.size());
    if (!places.isEmpty()) {
      assertThat(list.first()).isEqualTo(places.getFirst());
      assertThat(list.endExclusive()).isEqualTo(places.getLast() + 1);
    }
    return places;
  }

  @Test
  void refusesFiletypesThatDoNotAscend() {
    DerivedType down = DerivedType.indexedBlock(1, LongList.of(2, 0), DerivedType.INT32);
    DerivedType twice = DerivedType.indexedBlock(2, LongList.of(0, 1), DerivedType.INT32);
    DerivedType interleaved =
        DerivedType.resized(0, 4, DerivedType.vector(2, 1, 4, DerivedType.INT32));
    DerivedType odd = DerivedType.contiguous(3, DerivedType.INT16);
    for (DerivedType filetype : List.of(down, twice, interleaved, odd)) {
      assertThatThrownBy(() -> FileView.of(0, DerivedType.INT32, filetype))
          .isInstanceOf(InvalidUseException.class);
    }
    assertThatThrownBy(() -> FileView.of(-1, DerivedType.BYTE, DerivedType.BYTE))
        .isInstanceOf(InvalidUseException.class);
  }

  @Test
  void writesExternal32AccordingToTheStandard() {
    DerivedType type =
        DerivedType.struct(
            LongList.of(1, 2, 1, 1),
            LongList.of(0, 8, 16, 24),
            List.of(
                DerivedType.of(ElementaryType.LONG),
                DerivedType.INT16,
                DerivedType.DOUBLE,
                DerivedType.BYTE));
    RepresentationConversion conversion =
        new RepresentationConversion(type.signature(), DataRepresentation.EXTERNAL32);
    MemorySegment memory = MemorySegment.ofArray(new byte[21]);
    memory.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, -2);
    memory.set(ValueLayout.JAVA_SHORT_UNALIGNED, 8, (short) 0x1234);
    memory.set(ValueLayout.JAVA_SHORT_UNALIGNED, 10, (short) 0x5678);
    memory.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, 12, 1.0);
    memory.set(ValueLayout.JAVA_BYTE, 20, (byte) 7);
    byte[] file = new byte[17];
    conversion.toFile(memory, MemorySegment.ofArray(file));
    assertThat(HexFormat.of().formatHex(file)).isEqualTo("fffffffe123456783ff000000000000007");
    MemorySegment back = MemorySegment.ofArray(new byte[21]);
    assertThat(conversion.fromFile(MemorySegment.ofArray(file), 15, back)).isEqualTo(12);
    assertThat(conversion.fromFile(MemorySegment.ofArray(file), 17, back)).isEqualTo(21);
    assertThat(back.mismatch(memory)).isEqualTo(-1);
    memory.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, 1L << 31);
    assertThatThrownBy(() -> conversion.toFile(memory, MemorySegment.ofArray(file)))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("INT64");
  }

  @Test
  void countsInTheSizesOfTheRepresentation() {
    DerivedType etype = DerivedType.of(ElementaryType.LONG);
    FileView view =
        FileView.of(10, etype, DerivedType.vector(2, 1, 3, etype), DataRepresentation.EXTERNAL32);
    assertThat(view.etypeBytes()).isEqualTo(4);
    assertThat(view.byteOffset(1)).isEqualTo(22);
    assertThat(view.byteOffset(2)).isEqualTo(26);
  }
}
