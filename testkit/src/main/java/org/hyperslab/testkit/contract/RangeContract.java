package org.hyperslab.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Memory;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.model.DatasetOptions;
import org.junit.jupiter.api.Test;

/**
 * Tests numbers out of range for every Java target, read and written: an error by default, clamped
 * on request, and never wrapped.
 */
abstract class RangeContract extends ContractBase {

  RangeContract() {}

  /** A record with a narrower type than the stored one. */
  record Narrow(int n) {}

  /** A record of bytes. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Bytes(byte n, byte[] list) {}

  /** A record of a byte. */
  record Small(byte n) {}

  /** A record whose constructor throws. */
  record Picky(int n) {
    Picky {
      if (n > 0) {
        throw new IllegalStateException("picky about " + n);
      }
    }
  }

  /** A record with more components than stored members. */
  record Wider(int n, int extra) {}

  private static void refused(ThrowingCallable call, String... parts) {
    Throwable thrown = catchThrowable(call);
    Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
    assertThat(cause).isInstanceOf(InvalidUseException.class).hasMessageContaining("out of range");
    for (String part : parts) {
      assertThat(cause).hasMessageContaining(part);
    }
  }

  private Dataset stored(String name, Datatype type, Object values) {
    Dataset dataset = file().createDataset(name, type, Dataspace.simple(Array.getLength(values)));
    dataset.write(values);
    return dataset;
  }

  @Test
  void arraysTooNarrowForTheStoredTypeAreRefused() {
    stored("longs", Datatypes.I64BE, new long[] {1, 1L << 40});
    stored("unsigned", Datatypes.U8LE, new int[] {200, 1});
    stored("doubles", Datatypes.F64LE, new double[] {1e300, 2});
    stored("nan", Datatypes.F32LE, new float[] {Float.NaN, 2.9f});
    stored("bits", BitfieldType.of(4, Endian.LITTLE), new long[] {4_294_967_295L, 1});
    file().root().setAttribute("a", new int[] {300}, Datatypes.I32LE);
    inBothLives(file -> {
      Dataset longs = file.dataset("longs");
      refused(longs::readInts, "1099511627776", "index 1");
      refused(() -> longs.read(int[].class));
      refused(() -> longs.read(Selection.points(1, 1), Integer.class));
      refused(() -> longs.readAsync(int[].class).join());
      refused(() -> longs.readInto(new int[2]));
      refused(() -> longs.readIntoAsync(Selection.all(), new int[2]).join());
      refused(() -> longs.readInto(IntBuffer.allocate(2)));
      refused(() -> longs.readInto(new Integer[2]));
      refused(() -> longs.slice("1:2").readInts());
      assertThat(longs.slice("0:1").readInts()).containsExactly(1);
      refused(() -> file.dataset("unsigned").readBytes(), "200");
      refused(() -> file.dataset("doubles").readFloats(), "1.0E300");
      refused(() -> file.dataset("doubles").readLongs());
      refused(() -> file.dataset("nan").readInts(), "NaN");
      assertThat(file.dataset("nan").slice("1:2").readInts()).containsExactly(2);
      refused(() -> file.dataset("bits").readInts(), "4294967295");
      assertThat(file.dataset("bits").readLongs()).containsExactly(4_294_967_295L, 1);
      refused(() -> file.root().attribute("a").read(byte[].class), "300");
      refused(() -> file.root().attribute("a").read(Byte.class));
    });
  }

  @Test
  void arraysAreClampedOnRequest() {
    stored("longs", Datatypes.I64BE, new long[] {1L << 40, -1L << 40, 5});
    stored("doubles", Datatypes.F64LE, new double[] {1e300, -1e300, 2.5});
    stored("bits", BitfieldType.of(2, Endian.BIG), new int[] {300, 65_535, 3});
    file().root().setAttribute("a", new int[] {300, -300, 3}, Datatypes.I32LE);
    inBothLives(file -> {
      assertThat(file.dataset("longs").clamped().readInts())
          .containsExactly(Integer.MAX_VALUE, Integer.MIN_VALUE, 5);
      assertThat(file.dataset("longs").slice("1:").clamped().read(byte[].class))
          .containsExactly(-128, 5);
      assertThat(file.dataset("doubles").clamped().read(float[].class))
          .containsExactly(Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, 2.5f);
      assertThat(file.dataset("doubles").clamped().readInts())
          .containsExactly(Integer.MAX_VALUE, Integer.MIN_VALUE, 2);
      assertThat(file.dataset("bits").clamped().read(byte[].class)).containsExactly(127, 127, 3);
      assertThat(file.root().attribute("a").clamped().read(byte[].class))
          .containsExactly(127, -128, 3);
      int[] into = new int[3];
      file.dataset("longs").clamped().readInto(into);
      assertThat(into).containsExactly(Integer.MAX_VALUE, Integer.MIN_VALUE, 5);
    });
  }

  @Test
  void arraysThatDoNotFitAreNotWritten() {
    H5File file = file();
    Dataset bytes = stored("bytes", Datatypes.I8LE, new byte[] {1, 2});
    refused(() -> bytes.write(new int[] {1, 300}), "300", "index 1");
    refused(() -> bytes.writeAsync(new int[] {300, 1}).join());
    refused(() -> bytes.write(new int[][] {{300, 1}}));
    refused(() -> bytes.slice("0:1").write(-129L));
    refused(() -> bytes.write(new double[] {Double.NaN, 0}));
    refused(() -> bytes.write(new Integer[] {300, 0}));
    refused(() -> bytes.write(IntBuffer.wrap(new int[] {300, 1})));
    refused(() -> bytes.write(ByteBuffer.allocate(16).asLongBuffer().put(0, 1000)));
    Dataset unsigned = stored("unsigned", Datatypes.U16BE, new int[] {1});
    refused(() -> unsigned.write(new int[] {-1}));
    refused(() -> unsigned.write(new double[] {65_536}));
    Dataset floats = stored("floats", Datatypes.F32LE, new float[] {1});
    refused(() -> floats.write(new double[] {1e300}));
    floats.write(new double[] {Double.POSITIVE_INFINITY});
    Dataset bits = stored("bits", BitfieldType.of(1, Endian.LITTLE), new int[] {255});
    refused(() -> bits.write(new int[] {256}));
    refused(() -> bits.write(new int[] {-1}));
    refused(() -> file.root().setAttribute("a", new int[] {300}, Datatypes.I8LE));
    file.root().setAttribute("a", new int[] {3}, Datatypes.I8LE);
    refused(() -> file.root().attribute("a").write(new int[] {300}));
    Dataset grows =
        file.datasetBuilder("grows")
            .type(Datatypes.U8LE)
            .shape(1)
            .maxShape(Dataspace.UNLIMITED)
            .options(DatasetOptions.chunked(4).build())
            .create();
    refused(() -> grows.append(new int[] {256}));
    assertThat(grows.shape()).containsExactly(1);
    inBothLives(again -> {
      assertThat(again.dataset("bytes").readInts()).containsExactly(1, 2);
      assertThat(again.dataset("unsigned").readInts()).containsExactly(1);
      assertThat(again.dataset("floats").readFloats()).containsExactly(Float.POSITIVE_INFINITY);
      assertThat(again.dataset("bits").readInts()).containsExactly(255);
      assertThat(again.root().attribute("a").readInts()).containsExactly(3);
    });
  }

  @Test
  void writtenNumbersAreClampedOnRequest() {
    H5File file = file();
    file.createDataset("bytes", Datatypes.I8LE, Dataspace.simple(3))
        .clamped()
        .write(new int[] {300, -300, 5});
    file.createDataset("unsigned", Datatypes.U16LE, Dataspace.simple(2))
        .clamped()
        .write(new double[] {-1, 1e9});
    file.createDataset("bits", BitfieldType.of(1, Endian.LITTLE), Dataspace.simple(3))
        .clamped()
        .write(new int[] {256, -1, 7});
    file.createDataset("memory", Datatypes.I8LE, Dataspace.simple(1))
        .write(Memory.of(new int[] {1000}));
    file.createDataset("records", one(Datatypes.I8LE), Dataspace.simple(2))
        .clamped()
        .write(new Narrow[] {new Narrow(300), new Narrow(-300)});
    file.root().createAttribute("a", Datatypes.I8LE, Dataspace.scalar()).clamped().write(1000);
    file.close();
    PythonView view =
        new PythonView()
            .see("f['bytes'][()].tolist()", "[127, -128, 5]")
            .see("f['unsigned'][()].tolist()", "[0, 65535]")
            .see("f['memory'][()].tolist()", "[127]")
            .see("f['records'][()].tolist()", "[(127,), (-128,)]")
            .see("f.attrs['a']", "127");
    pathOf(fileName()).ifPresent(view::judge);
    H5File again = reopen();
    assertThat(again.dataset("bits").readInts()).containsExactly(255, 0, 7);
    assertThat(again.dataset("bytes").readInts()).containsExactly(127, -128, 5);
    assertThat(again.dataset("records").read(Narrow[].class))
        .containsExactly(new Narrow(127), new Narrow(-128));
  }

  @Test
  void adviceAboutFillValuesIsForFillValues() {
    DatasetOptions options = DatasetOptions.builder().fill(300).build();
    assertThatThrownBy(() ->
            file().datasetBuilder("d").type(Datatypes.I8LE).shape(2).options(options).create())
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("another fill value")
        .hasMessageNotContaining("clamp");
  }

  @Test
  void fillValuesFollowTheSameRule() {
    Map<Object, Datatype> outside =
        Map.of(
            300,
            Datatypes.I8LE,
            -1,
            Datatypes.U8LE,
            Double.NaN,
            Datatypes.I32LE,
            1e300,
            Datatypes.F32LE,
            BigInteger.TWO.pow(63),
            Datatypes.I64BE,
            256L,
            BitfieldType.of(1, Endian.LITTLE),
            "four",
            Datatypes.fixedString(3));
    outside.forEach((value, type) -> {
      DatasetOptions options = DatasetOptions.builder().fill(value).build();
      fails(
          InvalidUseException.class,
          () -> file().datasetBuilder("d").type(type).shape(2).options(options).create(),
          "fill value",
          value.equals("four") ? "4 bytes" : String.valueOf(value));
    });
    assertThat(file().root().names()).isEmpty();
    Map<Object, Datatype> inside =
        Map.of(
            BigInteger.valueOf(-7),
            Datatypes.I16BE,
            new BigDecimal("2.5"),
            Datatypes.F32LE,
            200,
            Datatypes.U8LE);
    inside.forEach((value, type) ->
        file()
            .datasetBuilder("d" + value)
            .type(type)
            .shape(1)
            .options(DatasetOptions.builder().fill(value).build())
            .create()
            .close());
    inBothLives(file ->
        inside
            .keySet()
            .forEach(value ->
                assertThat(file.dataset("d" + value).readDoubles())
                    .containsExactly(((Number) value).doubleValue())));
  }

  @Test
  void bitsAndNamesAreNotWrittenFromFloats() {
    EnumType colours =
        EnumType.builder(Datatypes.I16BE).constant("RED", 1).constant("BLUE", 2).build();
    CompoundType both =
        CompoundType.builder().member("b", Datatypes.B16LE).member("e", colours).build();
    Dataset bits = file().createDataset("bits", Datatypes.B16LE, Dataspace.simple(2));
    Dataset names = file().createDataset("names", colours, Dataspace.simple(2));
    Dataset record = file().createDataset("record", both, Dataspace.scalar());
    bits.write(new int[] {1, 2});
    names.write(new int[] {1, 2});
    record.write(Map.of("b", 1, "e", 2));
    for (Dataset one : List.of(bits, names)) {
      notConverted(() -> one.write(new double[] {1.5, 2}));
      notConverted(() -> one.clamped().write(new float[] {1, 2}));
      notConverted(() -> one.write(new Object[] {1, 2.0}));
      notConverted(() -> one.write(Memory.of(new double[] {1, 2})));
      notConverted(() -> file().root().setAttribute("a", 1.5, one.type()));
      notConverted(() -> createFilled("filled", one.type(), 1.5));
    }
    notConverted(() -> record.write(Map.of("b", 1.5, "e", 2)));
    notConverted(() -> record.write(Map.of("b", 1, "e", 2f)));
    notConverted(() -> record.write(Map.of("b", 1, "e", new BigDecimal("1.5"))));
    inBothLives(file -> {
      assertThat(file.dataset("bits").readInts()).containsExactly(1, 2);
      assertThat(file.dataset("names").readInts()).containsExactly(1, 2);
      assertThat(file.dataset("names").readDoubles()).containsExactly(1, 2);
      assertThat(file.dataset("record").field("e").readInts()).containsExactly(2);
      assertThat(file.exists("filled")).isFalse();
    });
  }

  private static void notConverted(Runnable call) {
    fails(InvalidUseException.class, call, "no conversion");
  }

  @Test
  void elementsThatDoNotFitAreNamedByTheirIndex() {
    file().createDataset("d", new Narrow[] {new Narrow(1), new Narrow(300)});
    refused(() -> file().dataset("d").read(Small[].class), "at=index 1");
  }

  @Test
  void fillValuesThatAreNoNumbersAreWrittenAsElementsAre() {
    CompoundType wide =
        CompoundType.builder()
            .member("text", Datatypes.fixedString(4))
            .member("n", Datatypes.I16BE)
            .build();
    CompoundType shortText =
        CompoundType.builder()
            .member("n", Datatypes.I16BE)
            .member("text", Datatypes.fixedString(2))
            .build();
    CompoundType more =
        CompoundType.builder()
            .member("n", Datatypes.I16BE)
            .member("text", Datatypes.fixedString(4))
            .member("x", Datatypes.F32LE)
            .build();
    EnumType colours =
        EnumType.builder(Datatypes.I16BE).constant("RED", 5).constant("BLUE", 7).build();
    List<Map.Entry<Object, Datatype>> refused =
        List.of(
            Map.entry(new Labelled(70_000, "four"), wide),
            Map.entry(new Labelled(3, "four"), shortText),
            Map.entry(new Labelled(3, "four"), more),
            Map.entry(new Labelled(3, "four"), one(Datatypes.I32LE)),
            Map.entry("GREEN", colours),
            Map.entry("3", Datatypes.I32LE),
            Map.entry(3, Datatypes.vlenString()),
            Map.entry(1.5, Datatypes.B16LE),
            Map.entry(1.5, colours),
            Map.entry(Colour.GREEN, colours),
            Map.entry(new byte[] {1, 2}, Datatypes.opaque(3, "t")),
            Map.entry(new byte[] {1, 2, 3, 4}, Datatypes.opaque(3, "t")),
            Map.entry(new int[] {1, 300}, Datatypes.array(Datatypes.I8LE, 2)),
            Map.entry(new int[] {1}, Datatypes.array(Datatypes.I8LE, 2)));
    refused.forEach(pair ->
        fails(
            InvalidUseException.class,
            () -> createFilled("d", pair.getValue(), pair.getKey()),
            "fill value"));
    assertThat(file().root().names()).isEmpty();

    createFilled("record", wide, new Labelled(-3, "four"));
    createFilled("name", colours, "BLUE");
    createFilled("constant", colours, Colour.RED);
    createFilled("opaque", Datatypes.opaque(3, "t"), new byte[] {1, 2, 3});
    createFilled("array", Datatypes.array(Datatypes.I16BE, 2), new int[] {-1, 300});
    inBothLives(file -> {
      assertThat(file.dataset("record").read(Labelled[].class))
          .containsExactly(new Labelled(-3, "four"));
      assertThat(file.dataset("name").readInts()).containsExactly(7);
      assertThat(file.dataset("constant").readInts()).containsExactly(5);
      assertThat(file.dataset("opaque").read(byte[][].class)[0]).containsExactly(1, 2, 3);
      assertThat(file.dataset("array").read(int[][].class)[0]).containsExactly(-1, 300);
    });
  }

  /** A record with text. */
  record Labelled(int n, String text) {}

  /** Names, not all of which the stored enumeration has. */
  enum Colour {
    RED,
    GREEN
  }

  private void createFilled(String name, Datatype type, Object fill) {
    file()
        .datasetBuilder(name)
        .type(type)
        .shape(1)
        .options(DatasetOptions.builder().fill(fill).build())
        .create()
        .close();
  }

  private static CompoundType one(Datatype type) {
    return CompoundType.builder().member("n", type).build();
  }

  @Test
  void recordsFollowTheSameRule() {
    CompoundType withList =
        CompoundType.builder()
            .member("n", Datatypes.I32LE)
            .member("list", Datatypes.vlen(Datatypes.U8LE))
            .build();
    Dataset longs = file().createDataset("longs", one(Datatypes.I64LE), Dataspace.simple(1));
    longs.write(new Map<?, ?>[] {Map.of("n", 1L << 40)});
    Dataset lists = file().createDataset("lists", withList, Dataspace.simple(2));
    lists.write(
        new Map<?, ?>[] {
          Map.of("n", 300, "list", List.of()), Map.of("n", 3, "list", List.of(255))
        });
    refused(() -> longs.read(Narrow[].class), "1099511627776", "\"n\"");
    refused(() -> longs.readAsync(Narrow[].class).join());
    refused(() -> lists.slice("0:1").read(Bytes[].class), "300");
    refused(() -> lists.slice("1:2").read(Bytes[].class), "255", "\"list\"");
    assertThat(longs.clamped().read(Narrow[].class)).containsExactly(new Narrow(Integer.MAX_VALUE));
    Bytes[] clamped = lists.clamped().read(Bytes[].class);
    assertThat(clamped[0].n()).isEqualTo((byte) 127);
    assertThat(clamped[1].list()).containsExactly(127);
    Dataset bytes = file().createDataset("bytes", one(Datatypes.I8LE), Dataspace.simple(1));
    refused(() -> bytes.write(new Narrow[] {new Narrow(300)}), "300", "\"n\"");
    refused(() -> bytes.write(new Map<?, ?>[] {Map.of("n", Double.POSITIVE_INFINITY)}), "Infinity");
    refused(() -> file().root().setAttribute("r", new Narrow(300), one(Datatypes.I8LE)));
    Dataset sequences =
        file().createDataset("v", Datatypes.vlen(Datatypes.U8LE), Dataspace.simple(1));
    refused(() -> sequences.write(new int[][] {{1, 256}}), "256");
    sequences.write(new int[][] {{1, 255}});
    refused(() -> sequences.read(byte[][].class), "255");
    assertThat(sequences.read(short[][].class)).isDeepEqualTo(new short[][] {{1, 255}});
  }

  @Test
  void recordsThatDoNotMatchAreRefused() {
    Dataset dataset = file().createDataset("d", one(Datatypes.I32LE), Dataspace.simple(1));
    fails(
        InvalidUseException.class,
        () -> dataset.write(new Wider[] {new Wider(1, 2)}),
        "extra",
        "members");
    fails(
        InvalidUseException.class,
        () -> dataset.write(new Map<?, ?>[] {Map.of("n", 1, "m", 2)}),
        "members");
    fails(InvalidUseException.class, () -> dataset.read(Wider[].class), "extra");
    dataset.write(new Narrow[] {new Narrow(4)});
    Throwable thrown = catchThrowable(() -> dataset.read(Picky[].class));
    assertThat(thrown)
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("picky about 4");
    assertThat(thrown).hasRootCauseInstanceOf(IllegalStateException.class);
  }
}
