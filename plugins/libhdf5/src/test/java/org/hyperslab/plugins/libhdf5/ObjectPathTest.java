package org.hyperslab.plugins.libhdf5;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ObjectPathTest {

  private static final int MANY = 100_000;

  @Test
  void namesAreRelativeToTheObjectUnlessTheyBeginWithASlash() {
    ObjectPath group = ObjectPath.ROOT.below("a").below("b/c");

    assertThat(ObjectPath.ROOT.text()).isEqualTo("/");
    assertThat(group.below("d").text()).isEqualTo("/a/b/c/d");
    assertThat(group.below("").text()).isEqualTo("/a/b/c");
    assertThat(group.below("/d").text()).isEqualTo("/d");
  }

  @Test
  void repeatedSlashesAndDotsAreLeftOut() {
    assertThat(ObjectPath.ROOT.below(".//a/./b/").text()).isEqualTo("/a/b");
    assertThat(ObjectPath.ROOT.below("/.").text()).isEqualTo("/");
    assertThat(ObjectPath.ROOT.below("..a/.b").text()).isEqualTo("/..a/.b");
  }

  @Test
  void anObjectMayBeBelowAnyNumberOfOthers() {
    ObjectPath path = ObjectPath.ROOT;
    for (int i = 0; i < MANY; i++) {
      path = path.below("x");
    }

    assertThat(path.text()).hasSize(2 * MANY);
  }
}
