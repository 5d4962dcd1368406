package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.InternalErrorException;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.format.store.StoreDecorator;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.vol.Connector;
import org.junit.jupiter.api.Test;

/** Tests that an unforeseen failure is reported as a defect of Hyperslab, not as a damaged file. */
class InternalErrorTest {

  /** A store with a defect. */
  private static final class Defective extends StoreDecorator {
    Defective(ByteStore below) {
      super(below);
    }

    @Override
    public void read(long offset, MemorySegment target) {
      throw new IndexOutOfBoundsException("a defect");
    }

    @Override
    public void read(long offset, MemorySegment[] targets) {
      throw new IndexOutOfBoundsException("a defect");
    }
  }

  @Test
  void unforeseenExceptionsAreDefectsNotDamage() {
    MemoryStore content = new MemoryStore("m.h5");
    byte[] bytes;
    try (Connector connector = ConnectorOver.store(content);
        Session session = Hdf5.session(connector);
        H5File file = session.create("m.h5", CreateOptions.DEFAULT)) {
      file.createGroup("g").close();
      file.flush();
      bytes = content.toByteArray();
    }
    ByteStore again = new Defective(MemoryStore.copyOf("m.h5", bytes));
    try (Connector connector = ConnectorOver.store(again);
        Session session = Hdf5.session(connector)) {
      assertThatThrownBy(() -> session.open("m.h5", OpenOptions.READ))
          .isInstanceOf(InternalErrorException.class)
          .hasMessageContaining("defect of Hyperslab")
          .hasMessageContaining("m.h5")
          .hasRootCauseInstanceOf(IndexOutOfBoundsException.class);
    }
  }
}
