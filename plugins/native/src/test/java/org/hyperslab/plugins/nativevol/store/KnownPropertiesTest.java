package org.hyperslab.plugins.nativevol.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.OpenOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that properties of files have known names. */
final class KnownPropertiesTest {

  private static final Path GUIDE =
      Path.of(System.getProperty("hyperslab.root")).resolve("docs/properties.md");

  @TempDir Path folder;

  @Test
  void theGuideListsThem() throws IOException {
    Set<String> listed = new TreeSet<>();
    boolean table = false;
    for (String line : Files.readAllLines(GUIDE)) {
      if (line.startsWith("| property | value |")) {
        table = true;
      } else if (table && !line.startsWith("|")) {
        break;
      } else if (table) {
        Matcher names = Pattern.compile("`([\\w.]+)`").matcher(line.split("\\|")[1]);
        names.results().forEach(name -> listed.add(name.group(1)));
      }
    }
    assertThat(listed).isEqualTo(new TreeSet<>(KnownProperties.NAMES));
  }

  @Test
  void flagsAreTrueOrFalse() {
    Path path = folder.resolve("flags.h5");
    try (Session session = Hdf5.session("native")) {
      session.create(path).close();
      OpenOptions wrong = OpenOptions.READ.withProperty("clearConsistencyFlags", "yes");
      assertThatThrownBy(() -> session.open(path, wrong))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("clearConsistencyFlags: actual=yes, expected=true or false");
      session.open(path, OpenOptions.READ.withProperty("clearConsistencyFlags", "false")).close();
    }
  }

  @Test
  void misspeltOnesAreRefusedBeforeAnythingIsDone() throws IOException {
    Path path = folder.resolve("f.h5");
    try (Session session = Hdf5.session("native")) {
      try (H5File file = session.create(path)) {
        file.createDataset("d", 1);
      }
      byte[] before = Files.readAllBytes(path);
      OpenOptions misspelt = OpenOptions.EDIT.withProperty("pagebuffer.bytes", "1048576");
      assertThatThrownBy(() -> session.open(path, misspelt))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("actual=pagebuffer.bytes")
          .hasMessageContaining("pageBuffer.bytes")
          .hasMessageContaining("f.h5");
      CreateOptions create = CreateOptions.DEFAULT.withAccess(misspelt);
      assertThatThrownBy(() -> session.create(path.toString(), create))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("actual=pagebuffer.bytes");
      assertThat(path).hasBinaryContent(before);
    }
  }
}
