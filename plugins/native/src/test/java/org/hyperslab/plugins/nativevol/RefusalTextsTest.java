package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.FormatVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that refusals name the structure, and objects by their paths. */
final class RefusalTextsTest {

  @TempDir Path folder;

  @Test
  void oversizedAttributeIsNamedWithARemedy() {
    CreateOptions oldest =
        CreateOptions.DEFAULT.withBounds(FormatVersion.EARLIEST, FormatVersion.V18);
    try (H5File file = Hdf5.create(folder.resolve("a.h5"), oldest)) {
      assertThatThrownBy(() -> file.createGroup("g").setAttribute("big", new long[10_000]))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("attribute message in an object header: actual=80")
          .hasMessageContaining("V18")
          .hasMessageContaining("attribute \"big\" of group /g in ");
    }
  }

  @Test
  void aMissingLinkIsNamedByItsGroupsPathAndNotByAnAddress() {
    try (H5File file = Hdf5.create(folder.resolve("a.h5"))) {
      file.createGroup("g");
      assertThatThrownBy(() -> file.group("g").delete("none"))
          .isInstanceOf(NotFoundException.class)
          .hasMessageContaining("none")
          .hasMessageContaining("group /g in ")
          .message()
          .doesNotContain("@");
    }
  }
}
