package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Array;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.RunCursor;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.Condition;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.ValueSummary;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests elements that meet random conditions, and summaries, against NumPy: over types, missing
 * values, fill values, chunk shapes and compounds.
 */
final class QuestionsNumpyTest {

  private static final int QUESTIONS_EACH = 20;

  /** Reads lines of: dataset, condition as Python, offsets of elements; or its summary. */
  private static final String JUDGE =
      """
      import h5py, sys, math, numpy as np
      from fractions import Fraction
      file = h5py.File(sys.argv[1])
      def whole(x): return x.dtype.kind in 'iub'
      def compare(x, sign, c):
          if isinstance(c, bytes):
              values = [bytes(v) for v in x.ravel()]
          elif whole(x):
              c = float(c) if 'inf' in c else Fraction(c)
              values = [int(v) for v in x.ravel()]
          else:
              with np.errstate(all='ignore'): c = x.dtype.type(float(c))
              values = x.ravel()
          op = {'==': lambda a: a == c, '!=': lambda a: a != c, '<': lambda a: a < c,
                '<=': lambda a: a <= c, '>': lambda a: a > c, '>=': lambda a: a >= c}[sign]
          return np.array([bool(op(v)) for v in values], bool).reshape(x.shape)
      def among(x, *cs):
          found = np.zeros(x.shape, bool)
          for c in cs: found |= compare(x, '==', c)
          return found
      def nan(x): return np.isnan(x) if x.dtype.kind == 'f' else np.zeros(x.shape, bool)
      def missing(x, f):
          return np.isnan(x) if x.dtype.kind == 'f' and np.isnan(f) else x == f
      wrong, count = [], 0
      for line in open(sys.argv[2]):
          name, what, text, told = line.rstrip('\\n').split('\\t')
          count += 1
          data = file[name]
          all = np.asarray(data[()])
          fill = b'' if data.dtype.kind == 'O' else data.fillvalue
          if all.dtype.kind == 'O':
              all = np.array([v if isinstance(v, bytes) else b'' for v in all.ravel()],
                             object).reshape(all.shape)
          def F(*names):
              x = all
              for n in names: x = x[n]
              return x
          def V(*names):
              x = fill
              for n in names: x = x[n]
              return x
          if what == 'where':
              found = eval(text)
              expected = ' '.join(str(i) for i in np.flatnonzero(np.broadcast_to(found, all.shape)))
              good = expected == told
          else:
              x = eval(text)
              n = x.dtype.kind == 'f'
              ok = x[~np.isnan(x)] if n else x.ravel()
              lost = int(missing(x, eval('V' + text[1:])).sum())
              sums = math.fsum(float(v) for v in ok) if n else sum(int(v) for v in ok)
              low = (float if n else int)(ok.min()) if ok.size else None
              high = (float if n else int)(ok.max()) if ok.size else None
              expected = [x.size, lost, x.size - ok.size, low, high, sums]
              got = [None if w == 'None' else float(w) if n and i > 2 else int(w)
                     for i, w in enumerate(told.split())]
              good = got[:5] == expected[:5] and (
                  got[5] == sums if not n else
                  math.isclose(got[5], sums, rel_tol=1e-9, abs_tol=1e-9 * (1 + sum(abs(float(v)) for v in ok)))
                  or (math.isnan(got[5]) and math.isnan(sums)) or math.isinf(sums))
          if not good: wrong.append(line.strip()[:300] + ' NUMPY ' + str(expected)[:300])
      print(*(wrong[:3] or ['equal', count]))
      """;

  private record Kind(Datatype type, List<String> field, boolean floating, boolean text) {}

  private static final List<Datatype> NUMBERS =
      List.of(
          Datatypes.I8LE,
          Datatypes.U8LE,
          Datatypes.I16BE,
          Datatypes.U16LE,
          Datatypes.I32LE,
          Datatypes.U32BE,
          Datatypes.I64LE,
          Datatypes.U64LE,
          Datatypes.F16LE,
          Datatypes.F32LE,
          Datatypes.F32BE,
          Datatypes.F64LE,
          Datatypes.F64BE);

  @TempDir private Path folder;

  @Test
  void findsWhatNumpyFinds() throws Exception {
    long seed = Seeds.draw();
    int datasets = Effort.times(50, 500);
    Path path = folder.resolve("a.h5");
    List<String> lines = new ArrayList<>();
    try (H5File file = Hdf5.create(path)) {
      for (int i = 0; i < datasets; i++) {
        ask(file, "d" + i, Seeds.random(seed, i), lines);
      }
    }
    Path told = Files.write(folder.resolve("cases"), lines);
    String judged = Oracle.h5py().run(JUDGE, path.toString(), told.toString()).orFail().output();
    assertThat(judged.strip()).as("seed " + seed).isEqualTo("equal " + lines.size());
  }

  private static void ask(H5File file, String name, Random random, List<String> lines) {
    long[] dims = random.longs(random.nextInt(4), 1, 13).toArray();
    List<Kind> kinds = kinds(random);
    Dataset dataset = create(file, name, dims, kinds, random);
    for (int i = 0; i < QUESTIONS_EACH; i++) {
      Kind kind = kinds.get(random.nextInt(kinds.size()));
      if (i < 4 && !kind.text) {
        lines.add(
            name + "\tsummary\t" + python(kind) + "\t" + told(dataset.summary(field(kind)), kind));
        continue;
      }
      StringBuilder python = new StringBuilder();
      Condition condition = condition(dataset, kinds, 0, random, python);
      Condition parsed = Condition.parse(condition.toString());
      assertThat(parsed).isEqualTo(condition);
      Selection found = dataset.where(random.nextBoolean() ? parsed : condition);
      long[] offsets = offsets(found, dims);
      assertThat(dataset.count(condition)).isEqualTo(offsets.length);
      lines.add(
          name
              + "\twhere\t"
              + python
              + "\t"
              + LongStream.of(offsets).mapToObj(Long::toString).collect(Collectors.joining(" ")));
    }
    dataset.close();
  }

  private static long[] offsets(Selection found, long[] dims) {
    LongStream.Builder offsets = LongStream.builder();
    RunCursor runs = found.runs(dims);
    while (runs.next()) {
      for (long i = 0; i < runs.length(); i++) {
        offsets.add(runs.offset() + i);
      }
    }
    return offsets.build().toArray();
  }

  private static List<Kind> kinds(Random random) {
    int choice = random.nextInt(10);
    if (choice == 0) {
      return List.of(new Kind(Datatypes.vlenString(), List.of("value"), false, true));
    }
    if (choice == 1) {
      return List.of(new Kind(Datatypes.fixedString(3), List.of("value"), false, true));
    }
    if (choice < 7) {
      return List.of(number(List.of("value"), random));
    }
    List<Kind> members = new ArrayList<>();
    for (int i = 0; i < 1 + random.nextInt(4); i++) {
      members.add(number(List.of("m" + i), random));
    }
    members.add(number(List.of("in ner", "x"), random));
    members.add(number(List.of("in ner", "y"), random));
    members.add(new Kind(Datatypes.fixedString(2), List.of("and"), false, true));
    return members;
  }

  private static Kind number(List<String> field, Random random) {
    Datatype type = NUMBERS.get(random.nextInt(NUMBERS.size()));
    return new Kind(type, field, type.classNumber() == 1, false);
  }

  private static Condition.Field field(Kind kind) {
    return new Condition.Field(kind.field);
  }

  private static String python(Kind kind) {
    return kind.field.equals(List.of("value"))
        ? "F()"
        : "F("
            + kind.field.stream().map(name -> "'" + name + "'").collect(Collectors.joining(","))
            + ")";
  }

  private static Dataset create(
      H5File file, String name, long[] dims, List<Kind> kinds, Random random) {
    boolean compound = kinds.size() > 1;
    Datatype type = compound ? compound(kinds) : kinds.getFirst().type;
    DatasetOptions.Builder options = DatasetOptions.builder();
    if (dims.length > 0 && random.nextInt(4) > 0) {
      options.chunked(
          Arrays.stream(dims).map(length -> 1 + random.nextInt((int) length)).toArray());
      if (random.nextBoolean() && !type.hasOutOfLineParts()) {
        options.shuffle().deflate(1);
      }
    }
    if (!compound && !kinds.getFirst().text && random.nextBoolean()) {
      options.fill(kinds.getFirst().floating && random.nextBoolean() ? (Object) Double.NaN : 7);
    }
    Dataset dataset =
        file.datasetBuilder(name).type(type).shape(dims).options(options.build()).create();
    int count = (int) Arrays.stream(dims).reduce(1, (a, b) -> a * b);
    for (Kind kind : kinds) {
      boolean whole = kind.field.equals(List.of("value"));
      Object values = values(kind, count, random);
      if (dims.length == 0) {
        values = Array.get(values, 0);
      }
      if (whole) {
        if (dims.length > 0 && random.nextInt(3) == 0) {
          long rows = dims[0] / 2; // the others are never written
          int some = (int) (count / dims[0] * rows);
          if (some > 0) {
            dataset.rows(0, rows).clamped().write(part(values, some));
          }
        } else {
          dataset.clamped().write(values);
        }
      } else {
        var slice = dataset.field(kind.field.getFirst());
        for (String inner : kind.field.subList(1, kind.field.size())) {
          slice = slice.field(inner);
        }
        slice.clamped().write(values);
      }
    }
    return dataset;
  }

  private static Object part(Object values, int some) {
    Object part = Array.newInstance(values.getClass().componentType(), some);
    System.arraycopy(values, 0, part, 0, some);
    return part;
  }

  private static CompoundType compound(List<Kind> kinds) {
    CompoundType.Builder outer = CompoundType.builder();
    CompoundType.Builder inner = CompoundType.builder();
    for (Kind kind : kinds) {
      if (kind.field.size() == 2) {
        inner.member(kind.field.get(1), kind.type);
      }
    }
    outer.member("in ner", inner.build());
    for (Kind kind : kinds) {
      if (kind.field.size() == 1) {
        outer.member(kind.field.getFirst(), kind.type);
      }
    }
    return outer.build();
  }

  private static Object values(Kind kind, int count, Random random) {
    if (kind.text) {
      return IntStream.range(0, count).mapToObj(i -> text(random)).toArray(String[]::new);
    }
    if (kind.floating) {
      double[] values = new double[count];
      for (int i = 0; i < count; i++) {
        values[i] =
            switch (random.nextInt(12)) {
              case 0 -> Double.NaN;
              case 1 -> random.nextBoolean() ? 0.0 : -0.0;
              case 2 -> random.nextInt(20) == 0 ? Double.POSITIVE_INFINITY : 7;
              default -> Math.rint(random.nextGaussian() * 100) / 8;
            };
      }
      return values;
    }
    long[] values = new long[count];
    for (int i = 0; i < count; i++) {
      values[i] = random.nextInt(10) == 0 ? random.nextLong() : random.nextInt(40) - 20;
    }
    return values;
  }

  private static String text(Random random) {
    return List.of("", "a", "b", "ab", "é", "B").get(random.nextInt(6));
  }

  private static Condition condition(
      Dataset dataset, List<Kind> kinds, int depth, Random random, StringBuilder python) {
    int choice = random.nextInt(depth > 2 ? 5 : 9);
    if (choice >= 5) {
      if (choice == 8) {
        python.append("(~");
        Condition not = condition(dataset, kinds, depth + 1, random, python).not();
        python.append(")");
        return not;
      }
      boolean and = random.nextBoolean();
      python.append("(");
      Condition left = condition(dataset, kinds, depth + 1, random, python);
      python.append(and ? " & " : " | ");
      Condition right = condition(dataset, kinds, depth + 1, random, python);
      python.append(")");
      return and ? left.and(right) : left.or(right);
    }
    Kind kind = kinds.get(random.nextInt(kinds.size()));
    Condition.Field field = field(kind);
    String x = python(kind);
    if (choice == 0) {
      python.append("nan(").append(x).append(")");
      return field.isNan();
    }
    if (choice == 1) {
      String fill = "V" + x.substring(1);
      python.append("missing(").append(x).append(", ").append(fill).append(")");
      return field.isFill();
    }
    if (choice == 2) {
      Object[] constants =
          IntStream.range(0, random.nextInt(4)).mapToObj(i -> constant(kind, random)).toArray();
      if (constants.length == 0) {
        constants = new Object[] {constant(kind, random)};
      }
      python
          .append("among(")
          .append(x)
          .append(", ")
          .append(
              Arrays.stream(constants)
                  .map(QuestionsNumpyTest::literal)
                  .collect(Collectors.joining(", ")))
          .append(")");
      return field.in(constants);
    }
    Condition.Relation relation =
        Condition.Relation.values()[random.nextInt(Condition.Relation.values().length)];
    Object constant = constant(kind, random);
    python
        .append("compare(")
        .append(x)
        .append(", '")
        .append(relation.sign())
        .append("', ")
        .append(literal(constant))
        .append(")");
    return new Condition.Comparison(field, relation, constant);
  }

  private static Object constant(Kind kind, Random random) {
    if (kind.text) {
      return text(random);
    }
    return switch (random.nextInt(8)) {
      case 0 -> random.nextLong();
      case 1 -> random.nextGaussian() * 10;
      case 2 -> 0;
      case 3 -> random.nextBoolean() ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
      case 4 -> Math.rint(random.nextGaussian() * 100) / 8;
      case 5 -> 1e39;
      default -> random.nextInt(40) - 20;
    };
  }

  private static String literal(Object constant) {
    if (constant instanceof String text) {
      return "'" + text + "'.encode()";
    }
    return "'"
        + (constant.toString().contains("Inf")
            ? constant.toString().replace("Infinity", "inf")
            : constant)
        + "'";
  }

  private static String told(ValueSummary summary, Kind kind) {
    return summary.count()
        + " "
        + summary.fillCount()
        + " "
        + summary.nanCount()
        + " "
        + summary.minimum().map(QuestionsNumpyTest::number).orElse("None")
        + " "
        + summary.maximum().map(QuestionsNumpyTest::number).orElse("None")
        + " "
        + number(summary.sum());
  }

  private static String number(Number number) {
    return number.toString().replace("Infinity", "inf");
  }
}
