package org.hyperslab.netcdf.cdl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InternalErrorException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.LimitExceededException;
import org.hyperslab.netcdf.NetcdfFile;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts that are no CDL, or ask for more than there is: typed errors that name a line, soon. */
@Timeout(120)
final class HostileCdlTest {

  private static void make(String cdl) {
    make(cdl.getBytes(StandardCharsets.UTF_8));
  }

  private static void make(byte[] cdl) {
    CdlGenerator generator = CdlGenerator.of(cdl);
    generator.kind();
    try (H5File memory = Hdf5.createInMemory();
        NetcdfFile file = NetcdfFile.of(memory)) {
      generator.write(file);
    }
  }

  private static void refuses(String cdl, Class<? extends HyperslabException> type, int line) {
    assertThatThrownBy(() -> make(cdl))
        .isInstanceOf(type)
        .isNotInstanceOf(InternalErrorException.class)
        .hasMessageStartingWith("CDL: ")
        .hasMessageContaining("at=line " + line);
  }

  // --- texts that end too early, or go on ---

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`` | 1",
        "netcdf | 1",
        "hdf5 a { } | 1",
        "netcdf a | 1",
        "netcdf a { | 1",
        "netcdf a { } x | 1",
        "netcdf a { } netcdf b { } | 1",
        "`netcdf a {\n:t = \"no end;\n}` | 3",
        "`netcdf a {\n:t = \"a\\` | 2",
        "`netcdf a {\n:t = '` | 2",
        "`netcdf a {\n:t = 'ab';}` | 2",
        "`netcdf a {\n:t = 'é';}` | 2",
        "`netcdf a {\n:t = \"\\é\";}` | 2",
        "`netcdf a {\n/* no end\n}` | 3",
        "`netcdf a {\n// no end }` | 2",
        "`netcdf a {\ndata:\n v = {1, 2` | 3",
        "`netcdf a {\nname\\` | 2",
      })
  void unfinishedTextsAreRefused(String cdl, int line) {
    refuses(cdl, InvalidUseException.class, line);
  }

  // --- what is no CDL, each with its line ---

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dimensions: x = -1;",
        "dimensions: x = 1.5;",
        "dimensions: x = \"2\";",
        "dimensions: x = 9223372036854775808;",
        "dimensions: x = 2, y = x;",
        "dimensions: x = 2; x = 3;",
        "dimensions: x;",
        "variables: int v; float v;",
        "variables: nothing v;",
        "variables: int v(x);",
        "variables: int v(/g/x);",
        "variables: int v(1);",
        "variables: int 1v;",
        "variables: v:a = 1;",
        "variables: :a = {1, 2};",
        "variables: :a = name;",
        "variables: :a = _;",
        "variables: :a = \"text\", 1;",
        "variables: int :a = \"text\";",
        "variables: string :a = 1;",
        "variables: byte :a = 300;",
        "variables: ubyte :a = -1;",
        "variables: int :a = NaN;",
        "variables: :a = 99999999999999999999;",
        "variables: :a = 08;",
        "variables: :a = 0x;",
        "variables: :a = -name;",
        "variables: :a = 1 2;",
        "variables: int v; v:_FillValue = 1, 2;",
        "variables: int v; v:_FillValue = \"a\";",
        "dimensions: x = 2; variables: int v(x); v:_DeflateLevel = 99;",
        "dimensions: x = 2; variables: int v(x); v:_DeflateLevel = 4294967297;",
        "dimensions: x = 2; variables: int v(x); v:_DeflateLevel = -1;",
        "dimensions: x = 2; variables: int v(x); v:_ChunkSizes = 1, 2;",
        "dimensions: x = 2; variables: int v(x); v:_ChunkSizes = 0;",
        "dimensions: x = 2; variables: int v(x); v:_ChunkSizes = -3;",
        "dimensions: x = 2; variables: int v(x); v:_ChunkSizes = \"a\";",
        "dimensions: x = 2; variables: int v(x); v:_Filter = \"a\";",
        "variables: :_Format = \"none\";",
        "types: compound c { };",
        "types: compound c { int a, a; };",
        "types: compound c { c a; };",
        "types: compound c { int a(0); };",
        "types: compound c { int a(2147483647, 2147483647); };",
        "types: compound c { int a(400000000); int b(400000000); };",
        "types: int enum e { a = 1, b = 1 };",
        "types: int enum e { a = 1, a = 2 };",
        "types: ubyte enum e { a = 300 };",
        "types: float enum e { a = 1 };",
        "types: int enum e { };",
        "types: opaque(0) o;",
        "types: opaque(-1) o;",
        "types: opaque(99999999999) o;",
        "types: opaque(2) o; int(*) o;",
        "types: o(*) o;",
        "group: g { } group: g { }",
        "group: a/b { }",
        "group: g { dimensions: x = 2; } group: h { variables: int v(/g/x); }",
        "variables: int v; data: v = 1, 2;",
        "variables: int v; data: w = 1;",
        "variables: int v; data: v = {1};",
        "variables: int v; data: v = 2147483648;",
        "variables: int v; data: v = Infinity;",
        "variables: int v; data: v = 1 data: v = 2;",
        "variables: char v; data: v = \"ab\";",
        "variables: string v; data: v = 1;",
        "dimensions: x = 2; variables: int v(x); data: v = 1, 2, 3;",
        "dimensions: x = 2; variables: char v(x); data: v = \"abc\";",
        "dimensions: x = 2; t = UNLIMITED; variables: int v(x, t); data: v = 1, 2;",
        "dimensions: x = 2; t = UNLIMITED; variables: int v(x, t); data: v = {1}, {2}, {3};",
        "types: int enum e { a = 1 }; variables: e v; data: v = b;",
        "types: int enum e { a = 1 }; variables: e v; data: v = \"a\";",
        "types: opaque(2) o; variables: o v; data: v = 12;",
        "types: compound c { int a; }; variables: c v; data: v = 1;",
        "types: compound c { int a; }; variables: c v; data: v = {1, 2};",
        "types: compound c { int a(2); }; variables: c v; data: v = {{1, 2, 3}};",
        "types: compound c { char a(2); }; variables: c v; data: v = {{\"abc\"}};",
        "types: int(*) s; variables: s v; data: v = 1;",
        "variables: int v; v:_Endianness = middle;",
      })
  void whatIsNoCdlIsRefusedWithItsLine(String content) {
    refuses("netcdf a {\n\n" + content + "\n}", InvalidUseException.class, 3);
  }

  // --- depth ---

  @ParameterizedTest
  @ValueSource(ints = {101, 100_000})
  void deepNestingIsRefused(int depth) {
    refuses(
        "netcdf a {\n" + "group: g {".repeat(depth) + "}".repeat(depth) + "}",
        LimitExceededException.class,
        2);
    refuses(
        "netcdf a {\n:a = " + "{".repeat(depth + 1) + "}".repeat(depth + 1) + "; }",
        LimitExceededException.class,
        2);
    StringBuilder types = new StringBuilder("netcdf a { types: int(*) t0;\n");
    for (int i = 1; i < depth; i++) {
      types.append("t").append(i - 1).append("(*) t").append(i).append("; ");
    }
    refuses(types + "}", LimitExceededException.class, 2);
  }

  /** Each type has two fields of the type before it. */
  @Test
  void typesThatDoubleAreRefused() {
    StringBuilder types = new StringBuilder("netcdf a {\ntypes: compound t0 { byte a; };");
    for (int i = 1; i < 28; i++) {
      String base = "t" + (i - 1);
      types.append("compound t" + i + " { " + base + " a; " + base + " b; };");
    }
    refuses(types + " variables: t27 v; data: v = {}; }", LimitExceededException.class, 2);
  }

  // --- counts and lengths ---

  @Test
  void lengthsBeyondWhatAFileHoldsAreRefused() {
    String large = "4000000000000000000";
    refuses(
        "netcdf a {\ndimensions: x = %s; y = %s; variables: int v(x, y); }".formatted(large, large),
        InvalidUseException.class,
        2);
    String chunked =
        "netcdf a {\ndimensions: t = UNLIMITED; y = %s; z = %s; variables: char v(t, y, z);\n"
            .formatted(large, large);
    assertThatThrownBy(() -> make(chunked + "data: v = \"a\", \"b\"; }"))
        .isInstanceOf(HyperslabException.class)
        .isNotInstanceOf(InternalErrorException.class);
  }

  @Test
  void rowsOfCharactersAreNotMadeOfNothing() {
    refuses(
        "netcdf a {\ndimensions: t = UNLIMITED; n = 4000000000; variables: char v(t, n);\n"
            + "data: v = \"a\", \"b\"; }",
        LimitExceededException.class,
        3);
    refuses("netcdf a {\ntypes: opaque(2000000000) o; }", LimitExceededException.class, 2);
    refuses(
        "netcdf a {\ntypes: compound c { double a(1000, 1000, 100); }; }",
        LimitExceededException.class,
        2);
  }

  @Test
  void manyDefinitionsTakeBoundedTime() {
    int count = Effort.times(20_000, 100_000);
    StringBuilder cdl = new StringBuilder("netcdf a {\ndimensions: x = 1;");
    for (int i = 0; i < count; i++) {
      cdl.append(" d").append(i).append(" = 1;");
    }
    cdl.append("variables: int v(x);");
    for (int i = 0; i < count; i++) {
      cdl.append(" v:a = ").append(i).append(";");
    }
    for (int i = 0; i < count; i++) {
      cdl.append(" float v").append(i).append("(x);");
    }
    assertThat(CdlGenerator.of((cdl + "}").getBytes(StandardCharsets.UTF_8)).name()).isEqualTo("a");
    refuses(cdl + "int v0; }", InvalidUseException.class, 2);
  }

  @Test
  void longWordsTakeBoundedTime() {
    int length = 2_000_000;
    refuses(
        "netcdf a { variables: int v; data:\nv = 0x" + "f".repeat(length) + "; }",
        InvalidUseException.class,
        2);
    refuses(
        "netcdf a { variables: double v; data:\nv = " + "9".repeat(length) + "; }",
        InvalidUseException.class,
        2);
    refuses(
        "netcdf a { variables: double v; data:\nv = 1e" + "9".repeat(length) + "; }",
        InvalidUseException.class,
        2);
    refuses(
        "netcdf a { variables: int\n" + "v".repeat(length) + "; }", InvalidUseException.class, 2);
    refuses("netcdf a {\n" + "/".repeat(length), InvalidUseException.class, 2);
    refuses(
        "netcdf a {" + "\n/* */".repeat(length / 10) + "\n", InvalidUseException.class, 200_002);
    refuses("netcdf a {\n" + "/*".repeat(length), InvalidUseException.class, 2);
    refuses("netcdf a {\n:a = \"" + "\\x41".repeat(length), InvalidUseException.class, 2);
  }

  /** The kinds of numbers do not overflow on their way. */
  @Test
  void numbersAtTheEndsOfTheirTypesAreMade() {
    make(
        "netcdf a { variables: double d; float f; int64 i; uint64 u; byte b;"
            + " data: d = 1e-99999; f = 1e39; i = -9223372036854775808;"
            + " u = 0xffffffffffffffff; b = -128; }");
  }

  // --- damage ---

  private static final String WHOLE =
      """
      netcdf a { // a comment
      types:
        int enum e { one = 1, two = 2 }; opaque(2) o; int(*) s;
        compound c { int a; char t(3); float f(2, 2); };
      dimensions: x = 2; t = UNLIMITED; n = 4;
      variables:
        int v(t, x); v:_FillValue = -1; v:units = "m\\n"; v:_ChunkSizes = 1, 2;
        char text(t, n); string st(x); e ev(x); o ov; s sv(x); c cv; float fv(x, t);
        :a = 1b, 2s, 3.5, NaN; string :b = "x", NIL; c :d = {1, {"ab"}, {1, 2}};
      data:
        v = 1, _, 3; text = "ab", 'c', 'd'; st = "p", "q"; ev = one, two; ov = 0xabcd;
        sv = {1, 2}, {}; cv = {1, {"abc"}, {1, 2, 3, 4}}; fv = {1, 2}, {3};
      group: g { dimensions: y = 3; variables: /e w(y, /x); data: w = two; }
      }
      """;

  @Test
  void damagedTextsAreRefusedOrMade() {
    make(WHOLE);
    Seeds.run(
        Effort.times(1, 10),
        random -> {
          for (int i = 0; i < 400; i++) {
            byte[] damaged = damaged(random);
            try {
              make(damaged);
            } catch (InternalErrorException foreseenByNobody) {
              throw new AssertionError(
                  new String(damaged, StandardCharsets.UTF_8), foreseenByNobody);
            } catch (InvalidUseException refused) {
              assertThat(refused.getMessage()).contains("at=line ");
            } catch (RuntimeException foreseenByNobody) {
              throw new AssertionError(
                  new String(damaged, StandardCharsets.UTF_8), foreseenByNobody);
            }
          }
        });
  }

  private static byte[] damaged(Random random) {
    String[] words = WHOLE.splitWithDelimiters("[^\\w]", 0);
    for (int times = random.nextInt(1, 4); times > 0; times--) {
      int at = random.nextInt(words.length);
      int other = random.nextInt(words.length);
      switch (random.nextInt(4)) {
        case 0 -> words[at] = "";
        case 1 -> words[at] = words[other];
        case 2 -> words[at] = words[at] + words[other];
        default -> words[at] = Integer.toString(random.nextInt(-9, 5000));
      }
    }
    byte[] text = String.join("", words).getBytes(StandardCharsets.UTF_8);
    if (random.nextInt(4) == 0) {
      text[random.nextInt(text.length)] = (byte) random.nextInt();
    }
    return text;
  }
}
