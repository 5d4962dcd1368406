package org.hyperslab.examples.flashio;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;

/**
 * The header datasets of every file: creation time, version, parameters, and names of variables.
 */
final class FlashHeader {

  static final String CREATION_TIME = "file creation time";
  static final String VERSION = "FLASH version";
  static final String PARAMETERS = "simulation parameters";
  static final String UNKNOWN_NAMES = "unknown names";

  private FlashHeader() {}

  /** One dataset of the header: its type, its extent and its elements. */
  record Entry(String name, Datatype type, Dataspace space, Object elements) {}

  /** Returns the header of a file, in the order in which the original writes it. */
  static List<Entry> of(FlashFile file, FlashMesh mesh) {
    return List.of(
        text(CREATION_TIME, 40, "now"),
        text(VERSION, 20, "FLASH I/O bench"),
        new Entry(PARAMETERS, parametersType(file), Dataspace.simple(1), parameters(file, mesh)),
        names(file));
  }

  /**
   * Returns the type with the layout of the original's C struct: in the checkpoint the doubles
   * follow the integers, with the compiler's padding before them.
   */
  private static CompoundType parametersType(FlashFile file) {
    boolean wide = file.isDoublePrecision();
    FloatType real = wide ? Datatypes.F64LE : Datatypes.F32LE;
    int time = wide ? 24 : 20;
    return CompoundType.builder()
        .member("total blocks", 0, Datatypes.I32LE)
        .member("time", time, real)
        .member("timestep", time + real.size(), real)
        .member("number of steps", 4, Datatypes.I32LE)
        .member("nxb", 8, Datatypes.I32LE)
        .member("nyb", 12, Datatypes.I32LE)
        .member("nzb", 16, Datatypes.I32LE)
        .build();
  }

  /** Returns the struct's bytes; times and steps are zero. */
  private static MemorySegment parameters(FlashFile file, FlashMesh mesh) {
    ByteBuffer struct =
        ByteBuffer.allocate(parametersType(file).size()).order(ByteOrder.LITTLE_ENDIAN);
    struct.putInt(0, mesh.totalBlocks());
    struct.putInt(8, file.edge());
    struct.putInt(12, file.edge());
    struct.putInt(16, file.edge());
    return MemorySegment.ofBuffer(struct);
  }

  private static Entry text(String name, int width, String text) {
    return new Entry(
        name, stringType(width), Dataspace.simple(1), blankFilled(width, List.of(text)));
  }

  private static Entry names(FlashFile file) {
    List<String> names = new ArrayList<>(file.variables());
    return new Entry(
        UNKNOWN_NAMES, stringType(4), Dataspace.simple(names.size(), 1), blankFilled(4, names));
  }

  private static StringType stringType(int width) {
    return Datatypes.fixedString(width, StringPadding.NULLTERM, CharacterSet.ASCII);
  }

  /**
   * Returns Fortran's character arrays: padded with blanks, without a terminator, whatever the type
   * declares.
   */
  private static MemorySegment blankFilled(int width, List<String> texts) {
    StringBuilder all = new StringBuilder();
    for (String text : texts) {
      all.append(text).append(" ".repeat(width - text.length()));
    }
    return MemorySegment.ofArray(all.toString().getBytes(StandardCharsets.US_ASCII));
  }
}
