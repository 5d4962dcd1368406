package org.hyperslab.format.filter.coder;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that loading the native libraries of coders leaves no files. */
final class NativeLibraryTest {

  @ParameterizedTest
  @EnumSource
  void libraryIsLoadedAndItsFileRemoved(NativeLibrary library) {
    assertThat(library.isLoaded()).isTrue();
    assertThat(Path.of(System.getProperty("aircompressor.tmpdir"))).doesNotExist();
  }
}
