package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;

import org.hyperslab.model.ObjectKind;
import org.hyperslab.vol.Handle;
import org.junit.jupiter.api.Test;

class HandleTableTest {

  private final HandleTable table = new HandleTable();

  @Test
  void aFileKnowsTheHandlesOfWhatWasOpenedThroughIt() {
    Handle file = Handle.fresh();
    FileOpening opening = FileOpening.of(file, null, true);
    table.bind(file, new OpenObject(opening, null, 0, ObjectKind.GROUP, true));
    Handle group = Handle.fresh();
    table.bind(group, new OpenObject(opening, null, 96, ObjectKind.GROUP, false));
    assertThat(opening.children()).containsExactly(group);
    assertThat(table.fileHandles()).containsExactly(file);
    assertThat(table.remove(group).address()).isEqualTo(96);
    assertThat(opening.children()).isEmpty();
    assertThat(table.remove(group)).isNull();
  }
}
