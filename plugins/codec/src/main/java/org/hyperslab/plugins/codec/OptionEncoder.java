package org.hyperslab.plugins.codec;

import com.google.protobuf.ByteString;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
import org.hyperslab.plugins.codec.proto.Messages;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.TypeOperation;

/** Encodes options as messages; {@link OptionDecoder} reads them. Thread rule: stateless. */
final class OptionEncoder {

  private OptionEncoder() {}

  static Messages.Location location(Location at) {
    return Messages.Location.newBuilder()
        .setBase(at.base().id())
        .setPath(TextFields.bytes(at.path()))
        .build();
  }

  static Messages.OpenOptionsMessage open(OpenOptions o) {
    return Messages.OpenOptionsMessage.newBuilder()
        .setWritable(o.writable())
        .setSwmr(o.swmr())
        .setLocking(WireNumbers.LOCKING.of(o.locking()))
        .setDurability(WireNumbers.DURABILITY.of(o.durability()))
        .setLow(WireNumbers.FORMAT_VERSION.of(o.low()))
        .setHigh(WireNumbers.FORMAT_VERSION.of(o.high()))
        .setCacheBytes(o.cacheBytes())
        .setThreads(o.threads())
        .addAllProperties(properties(o.properties()))
        .build();
  }

  static List<Messages.Property> properties(Map<String, String> properties) {
    List<Messages.Property> all = new ArrayList<>(properties.size());
    properties.forEach((name, value) ->
        all.add(Messages.Property.newBuilder().setName(name).setValue(value).build()));
    return all;
  }

  static Messages.CreateOptionsMessage create(CreateOptions o) {
    return Messages.CreateOptionsMessage.newBuilder()
        .setExclusive(o.exclusive())
        .setUserBlockBytes(o.userBlockBytes())
        .setSizeOfOffsets(o.sizeOfOffsets())
        .setSizeOfLengths(o.sizeOfLengths())
        .setSymbolLeafK(o.symbolLeafK())
        .setSymbolInternalK(o.symbolInternalK())
        .setChunkInternalK(o.chunkInternalK())
        .setRoot(group(o.root()))
        .setSpaceKind(WireNumbers.SPACE_STRATEGY.of(o.space().kind()))
        .setSpacePersist(o.space().persist())
        .setSpaceThresholdBytes(o.space().thresholdBytes())
        .setSpacePageBytes(o.space().pageBytes())
        .setAccess(open(o.access()))
        .build();
  }

  static Messages.TypeSpec type(TypeOperation.Spec s) {
    return Messages.TypeSpec.newBuilder()
        .setDatatype(Structures.bytes(s.datatype()))
        .setTrackTimes(s.trackTimes())
        .setAttributes(storage(s.attributes()))
        .build();
  }

  static Messages.AttributeStorageMessage storage(AttributeStorage s) {
    return Messages.AttributeStorageMessage.newBuilder()
        .setCreationOrderTracked(s.creationOrderTracked())
        .setCreationOrderIndexed(s.creationOrderIndexed())
        .setMaxCompact(s.maxCompact())
        .setMinDense(s.minDense())
        .build();
  }

  static Messages.GroupOptionsMessage group(GroupOptions o) {
    return Messages.GroupOptionsMessage.newBuilder()
        .setCreationOrderTracked(o.creationOrderTracked())
        .setCreationOrderIndexed(o.creationOrderIndexed())
        .setMaxCompact(o.maxCompact())
        .setMinDense(o.minDense())
        .setLocalHeapHintBytes(o.localHeapHintBytes())
        .setEstimatedLinks(o.estimatedLinks())
        .setEstimatedNameBytes(o.estimatedNameBytes())
        .setTrackTimes(o.trackTimes())
        .setAttributes(storage(o.attributes()))
        .build();
  }

  static Messages.LinkOptionsMessage link(LinkOptions o) {
    return Messages.LinkOptionsMessage.newBuilder()
        .setCreateIntermediate(o.createIntermediate())
        .setCharset(WireNumbers.CHARACTER_SET.of(o.charset()))
        .build();
  }

  static Messages.CopyOptionsMessage copy(CopyOptions o) {
    return Messages.CopyOptionsMessage.newBuilder()
        .setShallow(o.shallow())
        .setExpandSoftLinks(o.expandSoftLinks())
        .setExpandExternalLinks(o.expandExternalLinks())
        .setExpandReferences(o.expandReferences())
        .setWithoutAttributes(o.withoutAttributes())
        .setMergeCommittedTypes(o.mergeCommittedTypes())
        .build();
  }

  static Messages.PageRequestMessage page(PageRequest p) {
    return Messages.PageRequestMessage.newBuilder()
        .setIndex(WireNumbers.INDEX.of(p.index()))
        .setDescending(p.descending())
        .setPosition(p.position())
        .setLimit(p.limit())
        .build();
  }

  static Messages.DatasetOptionsMessage dataset(DatasetOptions o) {
    Messages.DatasetOptionsMessage.Builder out =
        Messages.DatasetOptionsMessage.newBuilder()
            .setLayout(layout(o.layout()))
            .setFill(fill(o.fill()))
            .setFillTime(WireNumbers.FILL_TIME.of(o.fillTime()))
            .setAllocationTime(WireNumbers.ALLOCATION_TIME.of(o.allocationTime()))
            .setTrackTimes(o.trackTimes())
            .setAttributes(storage(o.attributes()))
            .setStatistics(o.statistics());
    for (FilterSpec filter : o.filters()) {
      out.addFilters(
          Messages.FilterMessage.newBuilder()
              .setId(filter.id())
              .setOptional(filter.optional())
              .setName(TextFields.bytes(filter.name()))
              .addAllParameters(filter.parameters()));
    }
    return out.build();
  }

  private static Messages.LayoutMessage layout(Layout layout) {
    Messages.LayoutMessage.Builder out = Messages.LayoutMessage.newBuilder();
    Messages.Nothing nothing = Messages.Nothing.getDefaultInstance();
    switch (layout) {
      case Layout.Auto auto -> out.setAuto(nothing);
      case Layout.Compact compact -> out.setCompact(nothing);
      case Layout.Contiguous contiguous -> out.setContiguous(nothing);
      case Layout.Chunked chunked ->
          out.setChunked(
              Messages.ChunkedLayout.newBuilder()
                  .addAllDims(chunked.dims())
                  .setFilterPartialEdgeChunks(chunked.filterPartialEdgeChunks()));
      case Layout.External external -> out.setExternal(external(external));
      case Layout.Virtual virtual -> out.setVirtual(virtual(virtual));
    }
    return out.build();
  }

  private static Messages.ExternalLayout external(Layout.External layout) {
    Messages.ExternalLayout.Builder out = Messages.ExternalLayout.newBuilder();
    for (Layout.External.Segment segment : layout.segments()) {
      out.addSegments(
          Messages.Segment.newBuilder()
              .setFile(TextFields.bytes(segment.file()))
              .setOffsetBytes(segment.offsetBytes())
              .setSizeBytes(segment.sizeBytes()));
    }
    return out.build();
  }

  private static Messages.VirtualLayout virtual(Layout.Virtual layout) {
    Messages.VirtualLayout.Builder out = Messages.VirtualLayout.newBuilder();
    for (Layout.Virtual.Mapping mapping : layout.mappings()) {
      out.addMappings(
          Messages.Mapping.newBuilder()
              .setSelection(Structures.bytes(mapping.selection()))
              .setSourceFile(TextFields.bytes(mapping.sourceFile()))
              .setSourceDataset(TextFields.bytes(mapping.sourceDataset()))
              .setSourceSpace(Structures.bytes(mapping.sourceSpace()))
              .setSourceSelection(Structures.bytes(mapping.sourceSelection())));
    }
    return out.build();
  }

  private static Messages.FillMessage fill(FillValue fill) {
    Messages.FillMessage.Builder out = Messages.FillMessage.newBuilder();
    switch (fill) {
      case FillValue.Default none -> out.setStandard(Messages.Nothing.getDefaultInstance());
      case FillValue.Undefined none -> out.setUndefined(Messages.Nothing.getDefaultInstance());
      case FillValue.Value value ->
          out.setContent(
              Messages.FillContent.newBuilder()
                  .setType(Structures.bytes(value.type()))
                  .setElements(bytes(List.of(value.value().elements())))
                  .setHeap(bytes(value.value().heap().blocks())));
    }
    return out.build();
  }

  private static ByteString bytes(List<MemorySegment> parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    parts.forEach(part -> all.writeBytes(part.toArray(ValueLayout.JAVA_BYTE)));
    return TextFields.wrap(all.toByteArray());
  }
}
