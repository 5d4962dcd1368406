package org.hyperslab.plugins.libhdf5.object;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OpenedPathTest {

  private static final int MANY = 100_000;

  @Test
  void namesAreRelativeToTheObjectUnlessTheyBeginWithASlash() {
    OpenedPath group = OpenedPath.ROOT.below("a").below("b/c");

    assertThat(OpenedPath.ROOT.text()).isEqualTo("/");
    assertThat(group.below("d").text()).isEqualTo("/a/b/c/d");
    assertThat(group.below("").text()).isEqualTo("/a/b/c");
    assertThat(group.below("/d").text()).isEqualTo("/d");
  }

  @Test
  void repeatedSlashesAndDotsAreLeftOut() {
    assertThat(OpenedPath.ROOT.below(".//a/./b/").text()).isEqualTo("/a/b");
    assertThat(OpenedPath.ROOT.below("/.").text()).isEqualTo("/");
    assertThat(OpenedPath.ROOT.below("..a/.b").text()).isEqualTo("/..a/.b");
  }

  @Test
  void anObjectMayBeBelowAnyNumberOfOthers() {
    OpenedPath path = OpenedPath.ROOT;
    for (int i = 0; i < MANY; i++) {
      path = path.below("x");
    }

    assertThat(path.text()).hasSize(2 * MANY);
  }
}
