package org.hyperslab.tools.edit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.CommittedType;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.tools.CommandRun;
import org.hyperslab.tools.command.ObjectAddress;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the commands that edit files in place: {@code attr, mkgrp, delete, move}. */
final class EditingCommandsTest {

  private static final int WRONG_USE = 2;

  @TempDir private Path folder;

  private Path path;

  @BeforeEach
  void make() {
    path = folder.resolve("run.h5");
    try (H5File file = Hdf5.create(path)) {
      Dataset numbers = file.createDataset("grid/x", new int[] {1, 2, 3});
      numbers.setAttribute("units", "m");
    }
  }

  private CommandRun run(String... words) {
    return CommandRun.of(words);
  }

  private void succeeds(String... words) {
    CommandRun run = run(words);
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
  }

  private String at(String object) {
    return path + ":" + object;
  }

  private void set(String name, String... more) {
    List<String> words = new ArrayList<>(List.of("attr", "set", at("/grid/x"), name));
    words.addAll(List.of(more));
    succeeds(words.toArray(String[]::new));
  }

  private String got(String name) {
    CommandRun run = run("attr", "get", at("/grid/x"), name);
    assertThat(run.code()).as(run.err()).isZero();
    return run.out();
  }

  /** Has h5py check what an expression of the attributes {@code a} of /grid/x says. */
  private void judged(String checks) {
    String script =
        """
        import sys, h5py, numpy
        with h5py.File(sys.argv[1], "r") as file:
            x = file["grid/x"]
            a = x.attrs
        """;
    StringBuilder all = new StringBuilder(script);
    checks.lines().forEach(line -> all.append("    ").append(line).append('\n'));
    Oracle.h5py().run(all.toString(), path.toString()).orFail();
    assertThat(Oracle.h5dump().run("-A", path.toString()).exitCode()).isZero();
  }

  @Test
  void typesOfNewAttributesFollowFromTheirWords() {
    set("count", "42");
    set("scale", "0.25");
    set("note", "Doe, John");
    set("origin", "-1,2.5,1e3");
    set("sizes", "1", "-2", "9223372036854775807");
    set("names", "a", "b c", "ü");
    set("missing", "nan");
    judged(
        """
        assert a["count"] == 42 and a["count"].dtype == "<i8" and a["count"].shape == ()
        assert a["scale"] == 0.25 and a["scale"].dtype == "<f8"
        assert a["note"] == "Doe, John", a["note"]
        assert a["origin"].tolist() == [-1, 2.5, 1000] and a["origin"].dtype == "<f8"
        assert a["sizes"].tolist() == [1, -2, 2**63 - 1]
        assert list(a["names"]) == ["a", "b c", "ü"]
        assert numpy.isnan(a["missing"])
        assert a["units"] == "m"
        """);
  }

  @Test
  void typesAreThoseThatAreNamed() {
    set("byte", "255", "--type", "uint8");
    set("most", "18446744073709551615", "--type=uint64");
    set("single", "0.1", "--type", "float32");
    set("big", "-7", "-t", "int16be");
    set("half", "1.5", "2", "--type", "float16");
    set("flag", "true", "--type", "bool");
    set("flags", "TRUE,false,1", "--type", "bool");
    set("date", "20260101", "--type", "string");
    set("fixed", "abc", "--type", "string:8");
    set("one", "5", "--array");
    judged(
        """
        assert a["byte"] == 255 and a["byte"].dtype == "u1"
        assert a["most"] == 2**64 - 1 and a["most"].dtype == "<u8"
        assert a["single"] == numpy.float32("0.1") and a["single"].dtype == "<f4"
        assert a["big"] == -7 and a.get_id("big").dtype == ">i2"
        assert a["half"].tolist() == [1.5, 2] and a["half"].dtype == "<f2"
        assert a["flag"] == True and a["flag"].dtype == bool
        assert a["flags"].tolist() == [True, False, True]
        assert a["date"] == "20260101"
        assert a["fixed"] == b"abc" and a.get_id("fixed").dtype == "S8"
        assert a["one"].tolist() == [5]
        """);
  }

  @Test
  void replacedAttributesKeepTypeAndShape() {
    try (H5File file = Hdf5.openForEdit(path)) {
      Dataset x = file.dataset("grid/x");
      x.setAttribute("matrix", new short[][] {{1, 2}, {3, 4}});
      x.setAttribute("one", new float[] {1});
      x.setAttribute(
          "code", "K", Datatypes.fixedString(2, StringPadding.NULLTERM, CharacterSet.ASCII));
      EnumType color =
          EnumType.builder(Datatypes.I8LE).constant("RED", 1).constant("BLUE", -2).build();
      x.createAttribute("color", color, Dataspace.scalar()).write((byte) 1);
      CommittedType kind = file.root().commit("kind", Datatypes.I16LE);
      x.createAttribute("shared", kind, Dataspace.scalar()).write((short) 3);
    }
    set("matrix", "5,6,7,8");
    set("one", "2.5");
    set("code", "degC");
    set("color", "BLUE");
    set("shared", "9");
    set("units", "1");
    judged(
        """
        assert a["matrix"].tolist() == [[5, 6], [7, 8]] and a["matrix"].dtype == "<i2"
        assert a["one"].tolist() == [2.5] and a["one"].dtype == "<f4"
        assert a["code"] == b"degC" and a.get_id("code").dtype == "S5"
        assert a["color"] == -2 and h5py.check_enum_dtype(a.get_id("color").dtype)["RED"] == 1
        assert a["shared"] == 9 and a.get_id("shared").get_type().committed()
        assert a["units"] == "1"
        """);
    set("matrix", "1,2,3", "--type", "int32");
    judged("assert a['matrix'].tolist() == [1, 2, 3] and a['matrix'].dtype == '<i4'");
  }

  @Test
  void getPrintsElementsForShells() {
    set("values", "1.5,-2,nan");
    set("names", "a b", "c");
    set("most", "18446744073709551615", "--type", "uint64");
    set("flag", "false", "--type", "bool");
    assertThat(got("values")).isEqualTo("1.5\n-2.0\nNaN\n");
    assertThat(got("names")).isEqualTo("a b\nc\n");
    assertThat(got("most")).isEqualTo("18446744073709551615\n");
    assertThat(got("flag")).isEqualTo("FALSE\n");
    assertThat(run("attr", "get", at("/grid/x")).out())
        .isEqualTo("flag\nmost\nnames\nunits\nvalues\n");
  }

  @Test
  void getPrintsOtherElementsAsLsDoes() {
    Oracle.h5py()
        .run(
            """
            import sys, h5py, numpy
            with h5py.File(sys.argv[1], "a") as file:
                pair = numpy.array([(1, 2.5), (3, 4.5)], dtype=[("i", "i4"), ("d", "f8")])
                file["grid/x"].attrs["pairs"] = pair
                file["grid/x"].attrs["target"] = file["grid"].ref
                file["grid/x"].attrs["none"] = h5py.Empty("f8")
            """,
            path.toString())
        .orFail();
    assertThat(got("pairs")).isEqualTo("{1, 2.5}\n{3, 4.5}\n");
    assertThat(got("target")).startsWith("GROUP-1:").endsWith("\"/grid\"\n");
    assertThat(got("none")).isEmpty();
  }

  @Test
  void rootIsTheObjectOfAFileAlone() {
    succeeds("attr", "set", path.toString(), "title", "a run");
    assertThat(run("attr", "get", at("/"), "title").out()).isEqualTo("a run\n");
  }

  @Test
  void attributesAreRenamedAndDeleted() {
    set("b", "2");
    set("c", "3");
    succeeds("attr", "rename", at("/grid/x"), "b", "z");
    judged("assert sorted(a) == ['c', 'units', 'z'] and a['z'] == 2");
    assertThat(run("attr", "rename", at("/grid/x"), "c", "z").code()).isEqualTo(1);
    CommandRun missing = run("attr", "delete", at("/grid/x"), "c", "none");
    assertThat(missing.code()).isEqualTo(1);
    judged("assert sorted(a) == ['c', 'units', 'z']");
    succeeds("attr", "delete", at("/grid/x"), "c", "z");
    judged("assert sorted(a) == ['units']");
  }

  @ParameterizedTest
  @ValueSource(strings = {"get", "delete"})
  void namesNearToAMissingAttributeAreTold(String action) {
    CommandRun run = run("attr", action, at("/grid/x"), "unis");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("\"unis\"", "did you mean \"units\"?").doesNotContain("\tat ");
  }

  @Test
  void valuesThatDoNotFitTheTypeLeaveTheOldOne() {
    set("count", "7", "--type", "int8");
    for (String wrong : List.of("300", "1.5", "many")) {
      CommandRun run = run("attr", "set", at("/grid/x"), "count", wrong);
      assertThat(run.code()).as(wrong).isEqualTo(1);
      assertThat(run.err()).contains(wrong, "expected=").doesNotContain("\tat ");
    }
    assertThat(got("count")).isEqualTo("7\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1e39 --type float32",
        "1e400",
        "-1e400 --type float64",
        "9007199254740993 --type float64",
        "0.5,9007199254740993",
        "16777217 --type float32",
        "2049 --type float16",
        "1e5 --type float16",
        "9223372036854775808"
      })
  void numbersThatTheTypeWouldChangeAreRefused(String words) {
    List<String> all = new ArrayList<>(List.of("attr", "set", at("/grid/x"), "n"));
    all.addAll(List.of(words.split(" ")));
    CommandRun run = run(all.toArray(String[]::new));
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("expected=", "--type").doesNotContain("\tat ");
    judged("assert 'n' not in a");
  }

  @Test
  void numbersThatTheTypeKeepsAreTaken() {
    set("even", "9007199254740994", "--type", "float64");
    set("power", "16777216", "36893488147419103232", "--type", "float32");
    set("rounded", "9007199254740993.0", "0.1", "--type", "float64");
    set("special", "inf", "-inf", "nan", "--type", "float32");
    judged(
        """
        assert a["even"] == 2**53 + 2 and a["even"].dtype == "<f8"
        assert a["power"].tolist() == [2**24, 2**65] and a["power"].dtype == "<f4"
        assert a["rounded"].tolist() == [2**53, 0.1]
        assert str(a["special"].tolist()) == "[inf, -inf, nan]"
        """);
  }

  @Test
  void codesAndTextsWithBlanksStayText() {
    set("code", "00123");
    set("codes", "7", "08");
    set("phone", "+49351");
    set("real", "-007.5");
    set("before", " 5");
    set("behind", "5 ");
    set("list", "1, 2");
    set("zero", "0", "-3");
    set("named", "00123", "--type", "int32");
    judged(
        """
        assert a["code"] == "00123" and list(a["codes"]) == ["7", "08"]
        assert a["phone"] == "+49351" and a["real"] == "-007.5"
        assert a["before"] == " 5" and a["behind"] == "5 "
        assert a["list"].tolist() == [1, 2] and a["zero"].tolist() == [0, -3]
        assert a["named"] == 123 and a["named"].dtype == "<i4"
        """);
  }

  @Test
  void wrongUseOfSetIsReported() {
    CommandRun type = run("attr", "set", at("/grid/x"), "n", "1", "--type", "int33");
    assertThat(type.code()).isEqualTo(WRONG_USE);
    assertThat(type.err()).contains("int33", "int32", "Usage: hyperslab attr set");
    CommandRun none = run("attr", "set", at("/grid/x"), "n");
    assertThat(none.code()).isEqualTo(WRONG_USE);
    assertThat(none.err()).contains("NAME");
    CommandRun option = run("attr", "set", at("/grid/x"), "n", "--tpe", "int8");
    assertThat(option.code()).isEqualTo(WRONG_USE);
    assertThat(option.err()).contains("--tpe");
    set("dash", "--", "-x");
    assertThat(got("dash")).isEqualTo("-x\n");
    assertThat(run("attr").err()).contains("get, set, rename, delete");
  }

  @Test
  void groupsAreMade() {
    succeeds("mkgrp", at("/a"), "/b", "c");
    assertThat(run("mkgrp", at("/p/q")).err()).contains("-p creates parent groups");
    succeeds("mkgrp", "-p", "-v", at("/p/q/r"), "/p/q");
    assertThat(run("mkgrp", at("/a"), "/d").code()).isEqualTo(1);
    assertThat(run("mkgrp", "-p", at("/grid/x")).code()).isEqualTo(1);
    judged("assert sorted(file) == ['a', 'b', 'c', 'd', 'grid', 'p'] and 'r' in file['p/q']");
  }

  @Test
  void objectsAreDeletedButNotTheRoot() {
    succeeds("mkgrp", at("/a"), "/b");
    for (String root : List.of("/", "//", "/.")) {
      CommandRun run = run("delete", at(root));
      assertThat(run.code()).as(root).isEqualTo(1);
      assertThat(run.err()).contains("the root group");
    }
    CommandRun run = run("delete", at("/a"), "/grid/y", "/b");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("/grid/y", "did you mean \"/grid/x\"?");
    judged("assert sorted(file) == ['grid']");
    assertThat(run("delete", path.toString()).err()).contains("expected=FILE:/path");
  }

  @Test
  void objectsAreMoved() {
    succeeds("move", at("/grid/x"), "/grid/y");
    succeeds("move", "-p", at("/grid/y"), at("/new/z"));
    assertThat(run("move", at("/new/z"), "/no/z").err()).contains("-p creates parent groups");
    assertThat(run("move", at("/new/z"), "/grid").code()).isEqualTo(1);
    assertThat(run("move", at("/new"), "/new/inside").code()).isEqualTo(1);
    assertThat(run("move", at("/"), "/a").err()).contains("the root group");
    assertThat(run("move", at("/new"), folder + "/other.h5:/a").err()).contains("another file");
    succeeds("move", at("/new/z"), "/grid/x");
    judged("assert x[...].tolist() == [1, 2, 3] and sorted(file) == ['grid', 'new']");
  }

  @Test
  void namesThatAreNotUtf8AreSpelled() {
    succeeds("mkgrp", at("/gr\\udcfcn"));
    set("caf\\udce9", "1");
    assertThat(run("attr", "get", at("/grid/x")).out()).contains("caf\\udce9\n");
    Oracle.h5py()
        .run(
            """
            import sys, h5py
            with h5py.File(sys.argv[1], "r") as file:
                assert file.id.links.exists(b"gr\\xfcn")
                assert h5py.h5a.exists(file["grid/x"].id, b"caf\\xe9")
            """,
            path.toString())
        .orFail();
    succeeds("move", at("/gr\\udcfcn"), "/grün");
    succeeds("attr", "rename", at("/grid/x"), "caf\\udce9", "café:/x");
    assertThat(got("café:/x")).isEqualTo("1\n");
    succeeds("delete", at("/grün"));
  }

  @Test
  void colonsOfFilesAndObjectsAreDistinguished() throws IOException {
    Path odd = Files.createDirectory(folder.resolve("a:")).resolve("b.h5");
    Files.copy(path, odd);
    succeeds("mkgrp", odd + ":/c:", odd + ":/c:/d");
    try (H5File file = Hdf5.open(odd)) {
      assertThat(file.exists("c:/d")).isTrue();
    }
    assertThat(ObjectAddress.of("http://host/run.h5:/g"))
        .isEqualTo(new ObjectAddress("http://host/run.h5", "/g"));
    assertThat(ObjectAddress.of("s3://bucket/run.h5"))
        .isEqualTo(new ObjectAddress("s3://bucket/run.h5", "/"));
  }

  @Test
  void otherSpellingsOfObjectsAreAnsweredByTheRightOne() {
    for (String wrong : List.of(path + "/grid/x", path + ":grid/x")) {
      for (String command : List.of("set", "get", "delete")) {
        CommandRun run = run("attr", command, wrong, "k", "1");
        assertThat(run.code()).as(command).isNotZero();
        if (!command.equals("get")) { // which takes one name
          assertThat(run.err()).contains("did you mean " + at("/grid/x") + "?");
          assertThat(run.err()).doesNotContain("java.").hasLineCount(1);
        }
      }
    }
    assertThat(run("attr", "get", path + "/grid/x").err()).contains("mean " + at("/grid/x"));
    assertThat(run("mkgrp", path + "/a:/b").err()).contains("did you mean " + at("/a") + "?");
    assertThat(run("ls", at("/grid/x")).err()).contains("did you mean " + path + "/grid/x?");
  }

  @Test
  void missingFilesAreNotCreated() {
    Path none = folder.resolve("none.h5");
    for (String command : List.of("mkgrp", "delete")) {
      assertThat(run(command, none + ":/a").code()).isEqualTo(1);
    }
    assertThat(run("attr", "set", none.toString(), "a", "1").code()).isEqualTo(1);
    assertThat(none).doesNotExist();
  }
}
