package org.hyperslab.plugins.nativevol;

import java.util.Optional;
import java.util.function.Supplier;
import org.hyperslab.plugins.nativevol.file.NativeFile;

/**
 * Sources that are opened by a component that does not exist yet: it needs the loader of files, and
 * the loader needs it.
 */
final class LaterSources implements SourceDatasets {

  private final Supplier<SourceDatasets> sources;

  LaterSources(Supplier<SourceDatasets> sources) {
    this.sources = sources;
  }

  @Override
  public Optional<Source> open(SourcePlaces places, String fileName, String path) {
    return sources.get().open(places, fileName, path);
  }

  @Override
  public void closeUnused() {
    sources.get().closeUnused();
  }

  @Override
  public void released(NativeFile file) {
    sources.get().released(file);
  }
}
