package org.hyperslab.tools.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Checks that what a module exports to everyone can be used by everyone: its public and protected
 * members name only types that are exported to everyone, too. {@link ArchitectureTest} calls it.
 */
final class ExportedTypes {

  private static final Pattern EXPORT = Pattern.compile("(?m)^  exports ([\\w.]+);");

  /** Types whose members name others still; a row goes once its type is mended, none is added. */
  private static final Set<String> STILL_NAME_OTHERS =
      Set.of(
          // Their callers are modules to which format.io is exported.
          "DatatypeCodec",
          "SelectionCodec",
          "SelectionStructureCodec",
          // Its caller is the simulator, to which schedules are exported.
          "DeclaredSchedules");

  private final Set<String> packages;
  private final Set<String> wrong = new TreeSet<>();

  private ExportedTypes(Set<String> packages) {
    this.packages = packages;
  }

  /** Checks all classes against the descriptors of the modules below a folder. */
  static void requireUsable(JavaClasses classes, Path root) throws IOException {
    ExportedTypes types = new ExportedTypes(exports(root));
    classes.stream().filter(types::isUsable).forEach(types::check);
    assertThat(types.wrong)
        .as("exported types that name types of which users know nothing")
        .containsExactlyInAnyOrderElementsOf(STILL_NAME_OTHERS);
  }

  /** Checks that among the types of the API only those that open sessions name connectors. */
  static void requireOperationsHidden(JavaClasses classes) {
    Set<String> found = new TreeSet<>();
    for (JavaClass type : classes) {
      if (type.getPackageName().equals("org.hyperslab") && isPublic(type)) {
        for (JavaMember member : type.getMembers()) {
          if (isPublic(member) && involved(member).anyMatch(ExportedTypes::isOfConnectors)) {
            found.add(type.getSimpleName() + "." + member.getName());
          }
        }
      }
    }
    assertThat(found)
        .as("members of the API that name operations or connectors")
        .containsExactlyInAnyOrder(
            "Hdf5.session", "Session.can", "Session.capabilities", "Session.connector");
  }

  /**
   * Checks that options are built by builders, so that adding an option breaks no caller: they have
   * no public constructor, {@code builder()} starts with the defaults, {@code toBuilder()} with the
   * options themselves.
   */
  static void requireBuilders(JavaClasses classes, Path root) throws IOException {
    ExportedTypes types = new ExportedTypes(exports(root));
    Set<String> found = new TreeSet<>();
    for (JavaClass type : classes) {
      // ConnectorOptions reads what a configuration says.
      if (type.getSimpleName().endsWith("Options")
          && !type.getSimpleName().equals("ConnectorOptions")
          && types.isUsable(type)
          && !isBuilt(type)) {
        found.add(type.getSimpleName());
      }
    }
    assertThat(found).as("options without a builder").isEmpty();
  }

  private static boolean isBuilt(JavaClass type) {
    boolean constructed = type.getConstructors().stream().anyMatch(ExportedTypes::isPublic);
    return !constructed
        && type.tryGetMethod("builder").isPresent()
        && type.tryGetMethod("toBuilder").isPresent();
  }

  private static boolean isOfConnectors(JavaClass type) {
    return type.getPackageName().startsWith("org.hyperslab.vol");
  }

  private static Set<String> exports(Path root) throws IOException {
    Set<String> exports = new HashSet<>();
    try (Stream<Path> all = Files.find(root, 8, (path, _) -> path.endsWith("module-info.java"))) {
      for (Path descriptor : all.filter(p -> p.toString().contains("/src/main/")).toList()) {
        Matcher found = EXPORT.matcher(Files.readString(descriptor));
        while (found.find()) {
          exports.add(found.group(1));
        }
      }
    }
    return exports;
  }

  private void check(JavaClass type) {
    for (JavaMember member : type.getMembers()) {
      if (isPublic(member)
          && (involved(member).anyMatch(named -> !isUsable(named)) || namesBoxedBytes(member))) {
        wrong.add(type.getSimpleName());
      }
    }
  }

  /** Returns whether a member names bytes as objects, where a value of their own is meant. */
  private static boolean namesBoxedBytes(JavaMember member) {
    return member instanceof JavaCodeUnit unit
        && Stream.concat(Stream.of(unit.getReturnType()), unit.getParameterTypes().stream())
            .anyMatch(type ->
                !type.toErasure().isEquivalentTo(Byte.class)
                    && type.getAllInvolvedRawTypes().stream()
                        .anyMatch(raw -> raw.isEquivalentTo(Byte.class)));
  }

  private static Stream<JavaClass> involved(JavaMember member) {
    Stream<JavaType> types =
        member instanceof JavaCodeUnit unit
            ? Stream.concat(Stream.of(unit.getReturnType()), unit.getParameterTypes().stream())
            : Stream.of(((JavaField) member).getType());
    return types
        .flatMap(type -> type.getAllInvolvedRawTypes().stream())
        .map(JavaClass::getBaseComponentType);
  }

  private boolean isUsable(JavaClass type) {
    return !type.getPackageName().startsWith("org.hyperslab")
        || packages.contains(type.getPackageName()) && isPublic(type);
  }

  /** Returns whether a type and all types around it are public or protected. */
  private static boolean isPublic(JavaClass type) {
    Optional<JavaClass> around = type.getEnclosingClass();
    Set<JavaModifier> modifiers = type.getModifiers();
    return (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED))
        && !type.isAnonymousClass()
        && !type.isLocalClass()
        && around.map(ExportedTypes::isPublic).orElse(true);
  }

  private static boolean isPublic(JavaMember member) {
    Set<JavaModifier> modifiers = member.getModifiers();
    return (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED))
        && !modifiers.contains(JavaModifier.SYNTHETIC)
        && !modifiers.contains(JavaModifier.BRIDGE);
  }
}
