package org.hyperslab.plugins.nativevol.opening;

import java.util.Optional;
import java.util.function.Supplier;
import org.hyperslab.plugins.nativevol.file.NativeFile;
import org.hyperslab.plugins.nativevol.storage.SourcePlaces;
import org.hyperslab.plugins.nativevol.virtual.SourceDatasets;

/**
 * Sources that are opened by a component that does not exist yet: it needs the loader of files, and
 * the loader needs it.
 */
public final class LaterSources implements SourceDatasets {

  private final Supplier<SourceDatasets> sources;

  /**
   * Creates sources that another component opens.
   *
   * @param sources returns the component, once it exists
   */
  public LaterSources(Supplier<SourceDatasets> sources) {
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
