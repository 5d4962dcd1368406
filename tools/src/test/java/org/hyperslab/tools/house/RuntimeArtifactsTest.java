package org.hyperslab.tools.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Tests that the command line has all modules at run time: a dependency with the scope {@code test}
 * in its own descriptor hides one that a module brings along.
 */
final class RuntimeArtifactsTest {

  /** A dependency on another module. */
  private record Need(String artifact, String scope) {}

  @Test
  void whatAModuleNeedsIsNotOnlyForTests() throws Exception {
    Map<String, List<Need>> needs = new HashMap<>();
    for (Path descriptor : descriptors()) {
      Document pom =
          DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(descriptor.toFile());
      needs.put(child(pom.getDocumentElement(), "artifactId"), needs(pom));
    }
    List<Need> own = needs.get("hyperslab-tools");
    Set<String> reached = new HashSet<>();
    Deque<String> next = new ArrayDeque<>(List.of("hyperslab-tools"));
    while (!next.isEmpty()) {
      for (Need need : needs.getOrDefault(next.pop(), List.of())) {
        if (!need.scope.equals("test") && reached.add(need.artifact)) {
          next.add(need.artifact);
        }
      }
    }
    assertThat(reached).contains("hyperslab-convert", "hyperslab-format");
    assertThat(own.stream().filter(need -> need.scope.equals("test")).map(Need::artifact))
        .doesNotContainAnyElementsOf(reached);
  }

  private static List<Path> descriptors() throws IOException {
    Path root = Path.of(System.getProperty("hyperslab.root"));
    try (Stream<Path> all = Files.find(root, 4, (path, _) -> path.endsWith("pom.xml"))) {
      return all.filter(path -> !path.toString().contains("target")).toList();
    }
  }

  private static List<Need> needs(Document pom) {
    NodeList all = pom.getElementsByTagName("dependency");
    return Stream.iterate(0, i -> i < all.getLength(), i -> i + 1)
        .map(i -> (Element) all.item(i))
        .filter(each -> "org.hyperslab".equals(child(each, "groupId")))
        .map(each -> new Need(child(each, "artifactId"), child(each, "scope")))
        .toList();
  }

  /** Returns the text of a child element, or the empty text. */
  private static String child(Element parent, String name) {
    for (var node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element && element.getTagName().equals(name)) {
        return element.getTextContent().strip();
      }
    }
    return "";
  }
}
