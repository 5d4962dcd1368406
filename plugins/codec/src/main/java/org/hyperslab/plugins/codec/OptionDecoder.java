package org.hyperslab.plugins.codec;

import com.google.protobuf.ByteString;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.model.AttributeStorage;
import org.hyperslab.model.CopyOptions;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.model.Layout;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.PageRequest;
import org.hyperslab.model.SpaceStrategy;
import org.hyperslab.plugins.codec.proto.Messages;
import org.hyperslab.vol.TypeOperation;

/** Decodes options from messages of {@link OptionEncoder}. Thread rule: stateless. */
final class OptionDecoder {

  private OptionDecoder() {}

  static OpenOptions open(Messages.OpenOptionsMessage o) {
    return OpenOptions.builder()
        .writable(o.getWritable())
        .swmr(o.getSwmr())
        .locking(WireNumbers.LOCKING.constant(o.getLocking()))
        .durability(WireNumbers.DURABILITY.constant(o.getDurability()))
        .low(WireNumbers.FORMAT_VERSION.constant(o.getLow()))
        .high(WireNumbers.FORMAT_VERSION.constant(o.getHigh()))
        .cacheBytes(o.getCacheBytes())
        .threads(o.getThreads())
        .properties(properties(o.getPropertiesList()))
        .build();
  }

  static Map<String, String> properties(List<Messages.Property> properties) {
    Map<String, String> all = new LinkedHashMap<>();
    for (Messages.Property property : properties) {
      all.put(property.getName(), property.getValue());
    }
    return all;
  }

  static CreateOptions create(Messages.CreateOptionsMessage o) {
    SpaceStrategy space =
        new SpaceStrategy(
            WireNumbers.SPACE_STRATEGY.constant(o.getSpaceKind()),
            o.getSpacePersist(),
            o.getSpaceThresholdBytes(),
            o.getSpacePageBytes());
    return CreateOptions.builder()
        .exclusive(o.getExclusive())
        .userBlockBytes(o.getUserBlockBytes())
        .sizeOfOffsets(o.getSizeOfOffsets())
        .sizeOfLengths(o.getSizeOfLengths())
        .symbolLeafK(o.getSymbolLeafK())
        .symbolInternalK(o.getSymbolInternalK())
        .chunkInternalK(o.getChunkInternalK())
        .root(group(o.getRoot()))
        .space(space)
        .access(open(o.getAccess()))
        .build();
  }

  static TypeOperation.Spec type(Messages.TypeSpec s) {
    return new TypeOperation.Spec(
        Structures.type(s.getDatatype()), s.getTrackTimes(), storage(s.getAttributes()));
  }

  static AttributeStorage storage(Messages.AttributeStorageMessage s) {
    return new AttributeStorage(
        s.getCreationOrderTracked(),
        s.getCreationOrderIndexed(),
        s.getMaxCompact(),
        s.getMinDense());
  }

  static GroupOptions group(Messages.GroupOptionsMessage o) {
    return GroupOptions.builder()
        .creationOrderTracked(o.getCreationOrderTracked())
        .creationOrderIndexed(o.getCreationOrderIndexed())
        .maxCompact(o.getMaxCompact())
        .minDense(o.getMinDense())
        .localHeapHintBytes(o.getLocalHeapHintBytes())
        .estimatedLinks(o.getEstimatedLinks())
        .estimatedNameBytes(o.getEstimatedNameBytes())
        .trackTimes(o.getTrackTimes())
        .attributes(storage(o.getAttributes()))
        .build();
  }

  static CharacterSet charset(int number) {
    return WireNumbers.CHARACTER_SET.constant(number);
  }

  static LinkOptions link(Messages.LinkOptionsMessage o) {
    return LinkOptions.builder()
        .createIntermediate(o.getCreateIntermediate())
        .charset(charset(o.getCharset()))
        .build();
  }

  static CopyOptions copy(Messages.CopyOptionsMessage o) {
    return CopyOptions.builder()
        .shallow(o.getShallow())
        .expandSoftLinks(o.getExpandSoftLinks())
        .expandExternalLinks(o.getExpandExternalLinks())
        .expandReferences(o.getExpandReferences())
        .withoutAttributes(o.getWithoutAttributes())
        .mergeCommittedTypes(o.getMergeCommittedTypes())
        .build();
  }

  static PageRequest page(Messages.PageRequestMessage p) {
    return new PageRequest(
        WireNumbers.INDEX.constant(p.getIndex()), p.getDescending(), p.getPosition(), p.getLimit());
  }

  static DatasetOptions dataset(Messages.DatasetOptionsMessage o) {
    List<FilterSpec> filters = new ArrayList<>();
    for (Messages.FilterMessage filter : o.getFiltersList()) {
      filters.add(
          new FilterSpec(
              filter.getId(),
              filter.getOptional(),
              TextFields.text(filter.getName()),
              filter.getParametersList()));
    }
    return DatasetOptions.builder()
        .layout(layout(o.getLayout()))
        .filters(filters)
        .fill(fill(o.getFill()))
        .fillTime(WireNumbers.FILL_TIME.constant(o.getFillTime()))
        .allocationTime(WireNumbers.ALLOCATION_TIME.constant(o.getAllocationTime()))
        .trackTimes(o.getTrackTimes())
        .attributes(storage(o.getAttributes()))
        .statistics(o.getStatistics())
        .build();
  }

  private static Layout layout(Messages.LayoutMessage layout) {
    return switch (layout.getLayoutCase()) {
      case AUTO -> new Layout.Auto();
      case COMPACT -> new Layout.Compact();
      case CONTIGUOUS -> new Layout.Contiguous();
      case CHUNKED ->
          new Layout.Chunked(
              layout.getChunked().getDimsList(), layout.getChunked().getFilterPartialEdgeChunks());
      case EXTERNAL -> external(layout.getExternal());
      case VIRTUAL -> virtual(layout.getVirtual());
      case LAYOUT_NOT_SET -> throw MalformedMessage.of("layout", "actual=none, expected=one");
    };
  }

  private static Layout external(Messages.ExternalLayout layout) {
    List<Layout.External.Segment> segments = new ArrayList<>();
    for (Messages.Segment segment : layout.getSegmentsList()) {
      segments.add(
          new Layout.External.Segment(
              TextFields.text(segment.getFile()),
              segment.getOffsetBytes(),
              segment.getSizeBytes()));
    }
    return new Layout.External(segments);
  }

  private static Layout virtual(Messages.VirtualLayout layout) {
    List<Layout.Virtual.Mapping> mappings = new ArrayList<>();
    for (Messages.Mapping mapping : layout.getMappingsList()) {
      mappings.add(
          new Layout.Virtual.Mapping(
              Structures.selection(mapping.getSelection()),
              TextFields.text(mapping.getSourceFile()),
              TextFields.text(mapping.getSourceDataset()),
              Structures.space(mapping.getSourceSpace()),
              Structures.selection(mapping.getSourceSelection())));
    }
    return new Layout.Virtual(mappings);
  }

  private static FillValue fill(Messages.FillMessage fill) {
    return switch (fill.getFillCase()) {
      case STANDARD -> new FillValue.Default();
      case UNDEFINED -> new FillValue.Undefined();
      case CONTENT -> content(fill.getContent());
      case FILL_NOT_SET -> throw MalformedMessage.of("fill value", "actual=none, expected=one");
    };
  }

  private static FillValue content(Messages.FillContent content) {
    Datatype type = Structures.type(content.getType());
    if (content.getElements().size() < type.size()) {
      throw MalformedMessage.of(
          "fill value",
          "bytes actual=" + content.getElements().size() + ", expected=" + type.size());
    }
    ByteString heap = content.getHeap();
    MemorySegment elements = MemorySegment.ofArray(content.getElements().toByteArray());
    return new FillValue.Value(
        type,
        heap.isEmpty()
            ? DataBuffer.of(elements)
            : new DataBuffer(elements, VlenHeap.of(MemorySegment.ofArray(heap.toByteArray()))));
  }
}
