package org.hyperslab.format.filter.builtin;

import java.util.List;
import org.hyperslab.format.filter.Filter;
import org.hyperslab.format.filter.FilterProvider;
import org.hyperslab.format.filter.blosc.Blosc2Filter;
import org.hyperslab.format.filter.blosc.BloscFilter;
import org.hyperslab.format.filter.community.BitshuffleFilter;
import org.hyperslab.format.filter.community.Bzip2Filter;
import org.hyperslab.format.filter.community.Lz4Filter;
import org.hyperslab.format.filter.community.LzfFilter;
import org.hyperslab.format.filter.community.VbzFilter;
import org.hyperslab.format.filter.community.ZfpFilter;
import org.hyperslab.format.filter.community.ZstdFilter;
import org.hyperslab.format.filter.library.DeflateFilter;
import org.hyperslab.format.filter.library.Fletcher32Filter;
import org.hyperslab.format.filter.library.NbitFilter;
import org.hyperslab.format.filter.library.ScaleOffsetFilter;
import org.hyperslab.format.filter.library.ShuffleFilter;
import org.hyperslab.format.filter.library.SzipFilter;

/** Provides the filters of this project, which need no service file to be found. */
public final class BuiltInFilters implements FilterProvider {

  /** Created by {@link org.hyperslab.format.filter.FilterRegistry}. */
  public BuiltInFilters() {}

  @Override
  public List<Filter> filters() {
    return List.of(
        new DeflateFilter(),
        new ShuffleFilter(),
        new Fletcher32Filter(),
        new SzipFilter(),
        new NbitFilter(),
        new ScaleOffsetFilter(),
        new Bzip2Filter(),
        new LzfFilter(),
        new BloscFilter(),
        new Lz4Filter(),
        new BitshuffleFilter(),
        new ZstdFilter(),
        new VbzFilter(),
        new Blosc2Filter(),
        new ZfpFilter());
  }
}
