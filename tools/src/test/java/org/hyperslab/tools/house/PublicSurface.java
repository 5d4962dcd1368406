package org.hyperslab.tools.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Compares what modules promise to users with a baseline, a text of the public and protected
 * signatures of a release: none may go or change, and no interface or class that users may
 * implement gets an abstract method. What is only added is compatible, and is not in the baseline
 * before the next release. {@link ArchitectureTest} calls it.
 *
 * <p>japicmp compares jars, of which there are none before the first release, and its reports do
 * not show in a review what a change promises anew. So the baseline is a text, and a changed line
 * is an incompatible change even where a compiled program would not notice.
 */
final class PublicSurface {

  /** Whether the baseline is written instead of compared. */
  private static final boolean WRITES = Boolean.getBoolean("hyperslab.surface.write");

  private static final Pattern EXPORT = Pattern.compile("(?m)^  exports ([\\w.]+);");
  private static final Pattern NOISE =
      Pattern.compile("\\b(?:synchronized|native|strictfp) |\\bjava\\.lang\\.(?=[A-Z])");

  private PublicSurface() {}

  /** Checks a module of the house against its baseline. */
  static void requireCompatible(JavaClasses classes, Path root, String module) throws IOException {
    Path baseline =
        root.resolve("tools/src/test/resources/org/hyperslab/tools/house/surface")
            .resolve(module.replace('/', '-') + ".txt");
    Map<String, Set<String>> now = surface(classes, exports(root.resolve(module)));
    if (WRITES) {
      Files.createDirectories(baseline.getParent());
      Files.writeString(baseline, text(now));
    }
    assertThat(problems(read(baseline), now))
        .as(
            "incompatible changes of "
                + module
                + "; if they are meant, write the baseline by -Dhyperslab.surface.write=true, and"
                + " CHANGELOG.md says what to write instead")
        .isEmpty();
  }

  /** Returns what of a baseline has gone, and what implementations of it would lack. */
  static List<String> problems(Map<String, Set<String>> before, Map<String, Set<String>> now) {
    List<String> problems = new ArrayList<>();
    before.forEach((type, members) -> {
      Set<String> left = now.get(type);
      if (left == null) {
        problems.add("gone or changed: " + type);
        return;
      }
      members.stream()
          .filter(member -> !left.contains(member))
          .forEach(member -> problems.add("gone or changed: " + type + ": " + member));
      left.stream()
          .filter(member -> !members.contains(member) && isDemanded(type, member))
          .forEach(member -> problems.add("without a default: " + type + ": " + member));
    });
    return problems;
  }

  /** Returns whether classes of users that implement or extend a type must have a member. */
  private static boolean isDemanded(String type, String member) {
    return member.contains(" abstract ") && !type.contains(" sealed ");
  }

  static String text(Map<String, Set<String>> surface) {
    return surface.entrySet().stream()
        .map(entry ->
            entry.getKey()
                + "\n"
                + entry.getValue().stream()
                    .map(member -> "  " + member + "\n")
                    .collect(Collectors.joining()))
        .collect(Collectors.joining());
  }

  private static Map<String, Set<String>> read(Path baseline) throws IOException {
    Map<String, Set<String>> surface = new TreeMap<>();
    Set<String> members = new TreeSet<>();
    for (String line : Files.readAllLines(baseline)) {
      if (line.startsWith("  ")) {
        members.add(line.substring(2));
      } else {
        members = new TreeSet<>();
        surface.put(line, members);
      }
    }
    return surface;
  }

  private static Set<String> exports(Path module) throws IOException {
    Set<String> exports = new TreeSet<>();
    Matcher found =
        EXPORT.matcher(Files.readString(module.resolve("src/main/java/module-info.java")));
    while (found.find()) {
      exports.add(found.group(1));
    }
    return exports;
  }

  private static Map<String, Set<String>> surface(JavaClasses classes, Set<String> packages) {
    Map<String, Set<String>> surface = new TreeMap<>();
    for (JavaClass each : classes) {
      if (packages.contains(each.getPackageName()) && isPromised(each.reflect())) {
        surface.put(header(each.reflect()), members(each.reflect()));
      }
    }
    return surface;
  }

  /** Returns whether a type and all around it are public or protected. */
  private static boolean isPromised(Class<?> type) {
    return !type.isAnonymousClass()
        && !type.isLocalClass()
        && isPromised(type.getModifiers())
        && (type.getEnclosingClass() == null || isPromised(type.getEnclosingClass()));
  }

  private static boolean isPromised(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static String header(Class<?> type) {
    List<String> above = new ArrayList<>();
    Class<?> extended = type.getSuperclass();
    if (extended != null && extended != Object.class && isPromised(extended)) {
      above.add(type.getGenericSuperclass().getTypeName());
    }
    Arrays.stream(type.getGenericInterfaces()).map(Type::getTypeName).sorted().forEach(above::add);
    return shortened(
        type.toGenericString() + (above.isEmpty() ? "" : " : " + String.join(", ", above)));
  }

  private static Set<String> members(Class<?> type) {
    Set<String> members = new TreeSet<>();
    for (Constructor<?> each : type.getDeclaredConstructors()) {
      add(type, each, each.toGenericString(), members);
    }
    for (Field each : type.getDeclaredFields()) {
      add(type, each, each.toGenericString(), members);
    }
    // What a class that is not public gives to those that extend it is theirs.
    for (Class<?> each = type;
        each == type || each != null && !isPromised(each);
        each = each.getSuperclass()) {
      for (Method method : each.getDeclaredMethods()) {
        if (!method.isBridge()) {
          add(type, method, method.toGenericString(), members);
        }
      }
    }
    return members;
  }

  private static void add(Class<?> type, Member member, String signature, Set<String> members) {
    boolean ofSubclasses = Modifier.isProtected(member.getModifiers());
    if (isPromised(member.getModifiers())
        && !member.isSynthetic()
        && !(ofSubclasses && Modifier.isFinal(type.getModifiers()))) {
      members.add(shortened(withoutOwner(signature)));
    }
  }

  /** Returns a signature that names the member alone: its type stands above it. */
  private static String withoutOwner(String signature) {
    int open = signature.indexOf('(');
    int end = open < 0 ? signature.length() : open;
    int start = signature.lastIndexOf(' ', end) + 1;
    String name = signature.substring(start, end);
    int owner = Math.max(name.lastIndexOf('.'), name.lastIndexOf('$'));
    return signature.substring(0, start) + name.substring(owner + 1) + signature.substring(end);
  }

  private static String shortened(String signature) {
    return NOISE.matcher(signature).replaceAll("");
  }
}
