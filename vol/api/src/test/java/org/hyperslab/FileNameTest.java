package org.hyperslab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.hyperslab.error.NotFoundException;
import org.junit.jupiter.api.Test;

final class FileNameTest {

  @Test
  void pathsStayAsTheyAre() {
    for (String path : new String[] {"a.h5", "/a/b.h5", "C:\\a.h5", "odd:name.h5", "a b", ""}) {
      assertThat(FileName.parse(path).name()).isEqualTo(path);
      assertThat(FileName.parse(path).configuration()).isEmpty();
    }
  }

  @Test
  void fileUrisArePaths() {
    assertThat(FileName.parse("file:///tmp/a%20b.h5").name()).isEqualTo("/tmp/a b.h5");
    assertThat(FileName.parse("file:relative.h5").name()).isEqualTo("relative.h5");
  }

  @Test
  void unknownSchemesAreNamed() {
    assertThatThrownBy(() -> FileName.parse("nowhere://host/a.h5"))
        .isInstanceOf(NotFoundException.class)
        .hasMessageContaining("nowhere")
        .hasMessageContaining("nowhere://host/a.h5");
  }

  @Test
  void pathsAreNeverUris() {
    for (String name : new String[] {"mpiio:a.h5", "file:a.h5", "http:a.h5"}) {
      FileName path = FileName.of(Path.of(name));
      assertThat(path.configuration()).isEmpty();
      assertThat(Path.of(path.name()).isAbsolute()).isTrue();
      assertThat(path.name()).endsWith("/" + name);
    }
    assertThat(FileName.of(Path.of("folder/a.h5")).name()).isEqualTo("folder/a.h5");
  }
}
