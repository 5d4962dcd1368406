package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the HDF5 library counts the attributes of written files correctly. */
final class AttributeCountTest {

  @TempDir Path folder;

  @Test
  void compactAttributesAreCounted() {
    Path path = folder.resolve("counted.h5");
    try (Session session = Hdf5.session(new NativeConnector());
        H5File file = session.create(path)) {
      file.root().setAttribute("one", 1);
      file.root().setAttribute("two", 2);
      file.createGroup("group").setAttribute("one", 1);
      file.createDataset("dataset", Datatypes.I32LE, Dataspace.simple(3)).setAttribute("one", 1);
    }
    String counts =
        LibraryJudge.python(
            """
            with h5py.File(sys.argv[1], 'r') as f:
              for name in ['/', 'group', 'dataset']:
                print(h5py.h5o.get_info(f[name].id).hdr.mesg.present >> 21 & 1,
                      len(f[name].attrs))
            """,
            path);
    assertThat(counts.lines()).containsExactly("1 2", "1 1", "1 1");
  }
}
