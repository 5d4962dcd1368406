package org.hyperslab.testkit.differential;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.AllocationTime;
import org.hyperslab.model.AttributeStorage;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.model.Layout;

/** Converts creation options of groups and datasets to those of the public API. */
final class HyperslabOptions {

  private HyperslabOptions() {}

  static GroupOptions of(Edit.Group edit) {
    GroupOptions options =
        GroupOptions.DEFAULT
            .withPhaseChange(edit.maxCompact(), edit.minDense())
            .withAttributes(storage(edit.attributes()));
    return edit.ordered() ? options.withCreationOrder() : options;
  }

  private static AttributeStorage storage(Edit.Storage storage) {
    return storage == null
        ? AttributeStorage.DEFAULT
        : new AttributeStorage(
            storage.tracked(), storage.tracked(), storage.maxCompact(), storage.minDense());
  }

  static long[] most(List<Long> most) {
    return most.stream().mapToLong(one -> one < 0 ? Dataspace.UNLIMITED : one).toArray();
  }

  static DatasetOptions of(Edit.Creation creation, Datatype type, HyperslabElements elements) {
    DatasetOptions.Builder builder =
        DatasetOptions.builder()
            .layout(layout(creation.layout()))
            .attributes(storage(creation.attributes()));
    for (List<Object> filter : creation.filters()) {
      builder.filter(filter(filter));
    }
    if (!creation.fill().isEmpty()) {
      Datatype memory = type.inMemory();
      builder.fill(new FillValue.Value(memory, elements.encode(memory, creation.fill())));
    }
    if (creation.fillTime() != null) {
      builder.fillTime(
          List.of(FillValue.Time.ON_ALLOCATION, FillValue.Time.NEVER, FillValue.Time.IF_SET)
              .get(creation.fillTime()));
    }
    AllocationTime time =
        List.of(
                AllocationTime.DEFAULT,
                AllocationTime.EARLY,
                AllocationTime.LATE,
                AllocationTime.INCREMENTAL)
            .get(creation.allocation());
    return builder.allocationTime(time).build();
  }

  private static FilterSpec filter(List<Object> filter) {
    return switch ((String) filter.getFirst()) {
      case "deflate" -> FilterSpec.deflate((Integer) filter.get(1));
      case "shuffle" -> FilterSpec.shuffle();
      case "fletcher32" -> FilterSpec.fletcher32();
      case "nbit" -> FilterSpec.of(5);
      default -> FilterSpec.of(6, 2, (Integer) filter.get(1));
    };
  }

  private static Layout layout(Edit.Place place) {
    return switch (place.kind()) {
      case "compact" -> new Layout.Compact();
      case "contiguous" -> new Layout.Contiguous();
      case "chunk" -> Layout.Chunked.of(Shapes.array(place.chunk()));
      case "external" -> external(place);
      default -> virtual(place);
    };
  }

  private static Layout external(Edit.Place place) {
    List<Layout.External.Segment> segments = new ArrayList<>();
    for (List<Object> one : place.segments()) {
      long size = ((Number) one.get(2)).longValue();
      segments.add(
          new Layout.External.Segment(
              (String) one.getFirst(),
              ((Number) one.get(1)).longValue(),
              size < 0 ? Dataspace.UNLIMITED : size));
    }
    return new Layout.External(segments);
  }

  private static Layout virtual(Edit.Place place) {
    List<Layout.Virtual.Mapping> mappings = new ArrayList<>();
    for (Edit.Part part : place.parts()) {
      mappings.add(
          new Layout.Virtual.Mapping(
              part.target().selection(),
              ".",
              part.source(),
              Dataspace.simple(Shapes.array(part.sourceDims())),
              part.picks().selection()));
    }
    return new Layout.Virtual(mappings);
  }
}
