package org.hyperslab.tools.repack;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.Layout;

/**
 * What is to become of layouts, filters and structures.
 *
 * @param low the oldest structures of the new file
 * @param high the newest structures of the new file
 * @param filters filters by dataset path; the empty path stands for all others. No entry: as they
 *     are
 * @param layouts layouts by dataset path, likewise
 * @param smallestFilteredBytes datasets of fewer bytes are not given filters
 */
public record RepackPlan(
    FormatVersion low,
    FormatVersion high,
    Map<String, List<FilterSpec>> filters,
    Map<String, Layout> layouts,
    long smallestFilteredBytes) {

  /** Everything as it is, in structures that HDF5 1.10 reads. */
  public static final RepackPlan AS_IS =
      new RepackPlan(FormatVersion.EARLIEST, FormatVersion.V110, Map.of(), Map.of(), 0);

  /** Copies the maps. */
  public RepackPlan {
    filters = Map.copyOf(filters);
    layouts = Map.copyOf(layouts);
  }

  private static <T> Optional<T> chosen(Map<String, T> byPath, String path) {
    T own = byPath.get(path);
    return Optional.ofNullable(own != null ? own : byPath.get(""));
  }

  /** What a dataset at a path is created with. */
  DatasetOptions options(String path, DatasetInfo info) {
    DatasetOptions old = info.options();
    Optional<Layout> layout = chosen(layouts, path);
    Optional<List<FilterSpec>> wanted = chosen(filters, path);
    if (info.space().kind() != Dataspace.Kind.SIMPLE) {
      return old;
    }
    DatasetOptions.Builder builder = old.toBuilder();
    layout.ifPresent(builder::layout);
    Layout resulting = layout.orElse(old.layout());
    long bytes = info.space().elementCount() * info.type().size();
    boolean filterable =
        !(resulting instanceof Layout.Virtual) && !(resulting instanceof Layout.External);
    if (wanted.isPresent() && filterable && bytes >= smallestFilteredBytes) {
      builder.filters(wanted.get());
      if (!wanted.get().isEmpty() && !(resulting instanceof Layout.Chunked)) {
        builder.layout(new Layout.Auto());
      }
    } else if (!(resulting instanceof Layout.Chunked) && !(resulting instanceof Layout.Auto)) {
      builder.filters(List.of());
    }
    return builder.build();
  }
}
