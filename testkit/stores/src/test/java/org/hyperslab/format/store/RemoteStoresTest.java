package org.hyperslab.format.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.hyperslab.error.UnsupportedFeatureException;
import org.junit.jupiter.api.Test;

/** Tests names of remote files where the module that opens them is missing, as it is here. */
final class RemoteStoresTest {

  @Test
  void errorsNameTheArtifactThatOpensRemoteFiles() {
    for (String name : List.of("https://u:secret@host/a.h5", "http://host/a.h5", "s3://b/a.h5")) {
      assertThat(RemoteStores.isRemote(name)).isTrue();
      assertThatThrownBy(() -> RemoteStores.open(name, Map.of()))
          .isInstanceOf(UnsupportedFeatureException.class)
          .hasMessageContaining("hyperslab-remote")
          .hasMessageContaining("a.h5")
          .hasMessageNotContaining("secret");
      assertThatThrownBy(() -> RemoteStores.create(name, Map.of(), true))
          .isInstanceOf(UnsupportedFeatureException.class);
      assertThatThrownBy(() -> RemoteStores.delete(name, Map.of()))
          .isInstanceOf(UnsupportedFeatureException.class);
      assertThatThrownBy(() -> RemoteStores.list(name, Map.of(), false, 1))
          .isInstanceOf(UnsupportedFeatureException.class);
    }
    assertThat(RemoteStores.isRemote("a.h5")).isFalse();
  }
}
