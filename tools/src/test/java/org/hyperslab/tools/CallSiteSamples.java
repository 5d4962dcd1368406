package org.hyperslab.tools;

import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** Code whose call sites the JVM links at run time, and its output. */
final class CallSiteSamples {

  private static final int[] ARRAY = {1, 2};

  private CallSiteSamples() {}

  private record Everything(
      boolean truth,
      byte small,
      char letter,
      short number,
      int whole,
      long large,
      float real,
      double exact,
      String text,
      int[] array,
      List<?> list) {

    static Everything of(int seed) {
      return new Everything(
          seed % 2 == 0,
          (byte) -seed,
          (char) ('a' + seed % 3),
          (short) (seed % 4),
          seed % 5,
          (long) (seed % 6) << 40,
          seed % 7 == 0 ? Float.NaN : seed % 7 == 1 ? -0f : 0f,
          seed % 8 == 0 ? Double.NaN : seed % 8 == 1 ? -0.0 : 0.0,
          seed % 9 == 0 ? null : "text " + seed % 9,
          seed % 2 == 0 ? ARRAY : null,
          seed % 3 == 0 ? List.of() : Arrays.asList(1, null));
    }
  }

  private record Nothing() {}

  private record Pair<A, B>(A first, B second) {}

  private sealed interface Shape {

    record Circle(double radius) implements Shape {}

    record Square(int side) implements Shape {}

    enum Point implements Shape {
      ORIGIN,
      OTHER
    }

    default String name() {
      return switch (this) {
        case Circle(double radius) when radius > 1 -> "large circle";
        case Circle circle -> "circle " + circle.radius();
        case Square square when square.side() == 0 -> "no square";
        case Square _ -> "square";
        case Point point -> point.toString();
      };
    }
  }

  private static String kind(Object object) {
    return switch (object) {
      case null -> "nothing";
      case String text when text.length() > 3 -> "long text";
      case String _ -> "text";
      case int[] numbers when numbers.length == 2 -> "two numbers";
      case int[] _ -> "numbers";
      case String[][] _ -> "table";
      case Pair(String a, Integer b) when b > 0 -> a;
      case Pair(Pair(var a, _), _) -> "pair of a pair with " + a;
      case Number number -> "number " + number;
      default -> object.getClass().getSimpleName();
    };
  }

  private static String word(String text) {
    return switch (text) {
      case "one" -> "1";
      case "two" -> "2";
      case String other when other.isEmpty() -> "empty";
      case "three" -> "3";
      case String other -> other;
    };
  }

  private static String constant(Object object) {
    return switch (object) {
      case RoundingMode mode when mode == RoundingMode.UP -> "up";
      case Shape.Point point ->
          switch (point) {
            case ORIGIN -> "origin";
            case OTHER -> "other";
          };
      default -> "none";
    };
  }

  private static String shape(Shape shape) {
    return switch (shape) {
      case Shape.Point.ORIGIN -> "the origin";
      case Shape.Point.OTHER -> "another point";
      case Shape.Circle _ -> "round";
      case Shape.Square _ -> "with corners";
    };
  }

  private static String fails(Function<Shape, String> what) {
    try {
      return what.apply(null);
    } catch (NullPointerException expected) {
      return "refused";
    }
  }

  /**
   * {@return the output of the samples; the same in every run, and however their calls are linked}
   *
   * @throws AssertionError if equal records have different hash codes
   */
  static List<String> said() {
    List<String> said = new ArrayList<>();
    List<Object> objects = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      objects.add(Everything.of(i));
    }
    objects.addAll(
        Arrays.asList(
            new Nothing(),
            new Nothing(),
            Everything.of(9),
            Everything.of(0),
            null,
            "text",
            "long",
            new int[] {1},
            new int[2],
            new String[0][0],
            new String[0],
            5,
            2.5,
            RoundingMode.UP,
            RoundingMode.DOWN,
            Shape.Point.ORIGIN,
            new Pair<>("a", 1),
            new Pair<>("a", -1),
            new Pair<>(new Pair<>(null, 2), null),
            new Pair<>(null, null)));
    for (Object one : objects) {
      said.add(kind(one) + " " + constant(one == null ? "" : one));
      if (one instanceof Record) {
        said.add(one.toString().replaceAll("\\[I@[0-9a-f]*", "array"));
        for (Object other : objects) {
          boolean equal = one.equals(other);
          said.add("equal: " + equal);
          if (equal && one.hashCode() != other.hashCode()) {
            throw new AssertionError("equal, with different hash codes: " + one);
          }
        }
      }
    }
    said.add("hash codes: " + objects.stream().mapToInt(CallSiteSamples::hash).distinct().count());
    List.of("one", "two", "", "three", "four").forEach(text -> said.add(word(text)));
    List<Shape> shapes =
        List.of(
            new Shape.Circle(2),
            new Shape.Circle(1),
            new Shape.Square(0),
            new Shape.Square(1),
            Shape.Point.ORIGIN,
            Shape.Point.OTHER);
    shapes.forEach(each -> said.add(each.name() + ", " + shape(each) + ", " + constant(each)));
    said.add(fails(CallSiteSamples::shape));
    return said;
  }

  private static int hash(Object object) {
    return object instanceof Everything(_, _, _, _, int whole, _, _, _, _, _, _)
        ? new Pair<>(whole, "x").hashCode()
        : 0;
  }
}
