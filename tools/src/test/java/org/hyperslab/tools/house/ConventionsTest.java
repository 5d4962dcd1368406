package org.hyperslab.tools.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that the methods of the API are named as CONTRIBUTING.md says. */
final class ConventionsTest {

  private static final int MOST_FORMS = 3;

  private static final Pattern CREATOR = Pattern.compile("(create|require)[A-Z]\\w*");
  private static final Pattern READER =
      Pattern.compile("read(Boolean|Byte|Short|Int|Long|Float|Double|String)(s?)");
  private static final Pattern INFO = Pattern.compile("([a-z]\\w*)Info");

  private static final JavaClasses API =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("org.hyperslab");

  @Test
  void creatorsHaveFewForms() {
    Map<String, Integer> forms = new TreeMap<>();
    methods()
        .filter(method -> CREATOR.matcher(method.getName()).matches())
        .forEach(method -> forms.merge(name(method), 1, Integer::sum));
    assertThat(forms).containsKeys("Group.createDataset", "Group.createGroup");
    forms.values().removeIf(count -> count <= MOST_FORMS);
    assertThat(forms).as("creating methods of more than %d forms", MOST_FORMS).isEmpty();
  }

  @Test
  void singularsReadOneElementAndPluralsAFlatArray() {
    TreeSet<String> wrong = new TreeSet<>();
    int readers = 0;
    for (JavaMethod method : methods().toList()) {
      Matcher reader = READER.matcher(method.getName());
      if (reader.matches()) {
        readers++;
        String element = reader.group(1).toLowerCase();
        String expected = element + (reader.group(2).isEmpty() ? "" : "[]");
        if (!method.getRawReturnType().getSimpleName().equalsIgnoreCase(expected)) {
          wrong.add(name(method) + " returns no " + expected);
        }
      }
    }
    assertThat(readers).isGreaterThan(20);
    assertThat(wrong).isEmpty();
  }

  @Test
  void propertiesOfAKindAreNamedByItInItsClass() {
    TreeSet<String> found = new TreeSet<>();
    for (JavaMethod method : methods().toList()) {
      String type = method.getRawReturnType().getSimpleName();
      Matcher info = INFO.matcher(method.getName());
      if (info.matches()) {
        String kind = Character.toUpperCase(info.group(1).charAt(0)) + info.group(1).substring(1);
        assertThat(type).as(name(method)).isEqualTo(kind + "Info");
        assertThat(method.getOwner().getSimpleName()).as(name(method)).isEqualTo(kind);
        found.add(method.getName());
      } else if (method.getName().equals("info")) {
        assertThat(type).as(name(method)).endsWith("Info");
        found.add(name(method));
      }
    }
    assertThat(found).contains("groupInfo", "datasetInfo", "H5Object.info", "H5File.info");
  }

  /** What waits for nothing has a twin that waits, or it is built by a builder. */
  @Test
  void everyMethodWithoutWaitingHasATwinThatWaits() {
    List<String> lonely =
        methods()
            .filter(method -> method.getName().endsWith("Async"))
            .filter(method -> !hasTwin(method))
            .map(ConventionsTest::name)
            .toList();
    assertThat(lonely).isEmpty();
  }

  private static boolean hasTwin(JavaMethod method) {
    String name = method.getName();
    String twin = name.substring(0, name.length() - "Async".length());
    return method.getOwner().getAllMethods().stream().anyMatch(each -> each.getName().equals(twin));
  }

  private static Stream<JavaMethod> methods() {
    return API.stream()
        .filter(type -> type.getPackageName().equals("org.hyperslab"))
        .filter(ConventionsTest::isPublic)
        .flatMap(type -> type.getMethods().stream())
        .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
        .filter(method -> !method.getModifiers().contains(JavaModifier.BRIDGE));
  }

  private static boolean isPublic(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC)
        && type.getEnclosingClass().map(ConventionsTest::isPublic).orElse(true);
  }

  private static String name(JavaMethod method) {
    return method.getOwner().getSimpleName() + "." + method.getName();
  }
}
