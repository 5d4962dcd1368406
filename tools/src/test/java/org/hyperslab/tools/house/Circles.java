package org.hyperslab.tools.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Finds circles of top-level classes: classes that cannot be understood, compiled or tested without
 * each other. {@link ArchitectureTest} compares them with what is allowed. A sealed type and the
 * types that it permits count as one, because they are read together.
 */
final class Circles {

  /** The greatest number of classes in a circle. */
  private static final int MOST = 8;

  private final Map<String, Set<String>> uses = new HashMap<>();
  private final Map<String, String> families = new HashMap<>();

  private Circles() {}

  /** Checks the circles of all classes. */
  static void requireSmall(JavaClasses classes) {
    Circles circles = new Circles();
    classes.forEach(circles::joinFamily);
    classes.forEach(circles::add);
    assertThat(circles.find())
        .as("circles of classes")
        .allSatisfy(circle -> assertThat(circle).hasSizeLessThanOrEqualTo(MOST));
  }

  /** Makes one of a sealed type and what it permits. */
  private void joinFamily(JavaClass type) {
    if (type.isAnonymousClass() || type.getName().contains("$") || !isSealed(type)) {
      return;
    }
    String head = family(type.getName());
    for (Class<?> permitted : permitted(type)) {
      families.put(family(topLevel(permitted.getName())), head);
    }
  }

  private static boolean isSealed(JavaClass type) {
    try {
      return type.reflect().isSealed();
    } catch (LinkageError | RuntimeException absent) {
      return false; // it needs a library that this module does not have
    }
  }

  private static List<Class<?>> permitted(JavaClass type) {
    return Arrays.asList(type.reflect().getPermittedSubclasses());
  }

  private String family(String name) {
    String head = name;
    while (families.containsKey(head) && !families.get(head).equals(head)) {
      head = families.get(head);
    }
    return head;
  }

  private void add(JavaClass type) {
    String from = family(topLevel(type.getName()));
    Set<String> targets = uses.computeIfAbsent(from, _ -> new HashSet<>());
    for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
      String to = topLevel(dependency.getTargetClass().getBaseComponentType().getName());
      if (to.startsWith("org.hyperslab.") && !family(to).equals(from)) {
        targets.add(family(to));
      }
    }
  }

  private static String topLevel(String name) {
    int inner = name.indexOf('$');
    return inner < 0 ? name : name.substring(0, inner);
  }

  /** Returns the strongly connected sets of at least two classes (Kosaraju). */
  private Collection<Set<String>> find() {
    Deque<String> byEnd = new ArrayDeque<>();
    Set<String> seen = new HashSet<>();
    uses.keySet().forEach(start -> visit(start, uses, seen, byEnd::push));
    Map<String, Set<String>> users = new HashMap<>();
    uses.forEach((from, targets) ->
        targets.forEach(to -> users.computeIfAbsent(to, _ -> new HashSet<>()).add(from)));
    List<Set<String>> circles = new ArrayList<>();
    Set<String> taken = new HashSet<>();
    for (String start : byEnd) {
      Set<String> circle = new TreeSet<>();
      visit(start, users, taken, circle::add);
      if (circle.size() > 1) {
        circles.add(circle);
      }
    }
    return circles;
  }

  private static void visit(
      String start, Map<String, Set<String>> edges, Set<String> seen, Consumer<String> ended) {
    if (!seen.add(start)) {
      return;
    }
    edges.getOrDefault(start, Set.of()).forEach(next -> visit(next, edges, seen, ended));
    ended.accept(start);
  }
}
