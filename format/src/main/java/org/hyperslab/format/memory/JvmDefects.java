package org.hyperslab.format.memory;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Defects of JVMs that damage data. They are looked for once, when the first file is opened, and a
 * warning names the version that has none.
 *
 * <p>Thread rule: any thread.
 */
public final class JvmDefects {

  /** The system property that decides, {@code avoid} or {@code allow}, in place of the version. */
  static final String PROPERTY = "hyperslab.pinnedArrays";

  /** The first release of JDK 25 whose collector leaves pinned arrays in their place. */
  private static final Runtime.Version MENDED = Runtime.Version.parse("25.0.3");

  private static final int FIRST_FEATURE = 25;
  private static final int FIRST_WITHOUT_HEADER_DEFECT = 27;
  private static final String COMPACT = "-XX:+UseCompactObjectHeaders";

  private JvmDefects() {}

  /** What is true of this JVM; determined when it is first asked. */
  private static final class Here {
    static final boolean MOVES_PINNED =
        switch (System.getProperty(PROPERTY, "")) {
          case "avoid" -> true;
          case "allow" -> false;
          default -> movesPinned(Runtime.version(), Here::usesG1);
        };

    static {
      warning(Runtime.version(), MOVES_PINNED, options()).ifPresent(System.err::println);
    }

    private static boolean usesG1() {
      try {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
            .map(GarbageCollectorMXBean::getName)
            .anyMatch(name -> name.startsWith("G1"));
      } catch (NoClassDefFoundError absent) {
        return true; // an image without java.management: G1 is the default
      }
    }

    private static String options() {
      Map<String, String> environment = System.getenv();
      Stream<String> words =
          Stream.concat(
              Stream.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS")
                  .map(name -> environment.getOrDefault(name, "")),
              Stream.of(ProcessHandle.current().info().arguments().orElse(new String[0])));
      return String.join(" ", words.toList());
    }
  }

  /** A question that costs time, and is asked only if the answer matters. */
  @FunctionalInterface
  interface Question {
    /** Returns the answer. */
    boolean ask();
  }

  /**
   * {@return whether the garbage collector may move arrays while native code uses them, so that
   * they must not be passed to native code (JDK-8377811)}
   */
  public static boolean movesPinnedArrays() {
    return Here.MOVES_PINNED;
  }

  /** Prints the warning about this JVM if there is reason to, once. */
  public static void warn() {
    movesPinnedArrays();
  }

  static boolean movesPinned(Runtime.Version version, Question usesG1) {
    return version.feature() == FIRST_FEATURE
        && version.compareToIgnoreOptional(MENDED) < 0
        && usesG1.ask();
  }

  /** Returns the warning about a JVM of a version and options. */
  static Optional<String> warning(Runtime.Version version, boolean movesPinned, String options) {
    List<String> reasons =
        Stream.of(
                movesPinned
                    ? "its collector moves arrays that native code uses (JDK-8377811). Hyperslab"
                        + " passes none to native code, which takes longer; other libraries may"
                        + " damage data. Use 25.0.3 or newer."
                    : "",
                version.feature() < FIRST_WITHOUT_HEADER_DEFECT && options.contains(COMPACT)
                    ? "with "
                        + COMPACT
                        + " its compiler may damage strings and arrays"
                        + " (JDK-8380060), against which no library can protect data. Omit this"
                        + " option, or use a release that names JDK-8380060 among its fixes."
                    : "")
            .filter(reason -> !reason.isEmpty())
            .toList();
    return reasons.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "hyperslab: warning: Java " + version + ": " + String.join(" Also: ", reasons));
  }
}
