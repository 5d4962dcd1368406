package org.hyperslab.plugins.jhdf;

import io.jhdf.CommittedDatatype;
import io.jhdf.HdfFile;
import io.jhdf.api.Attribute;
import io.jhdf.api.Dataset;
import io.jhdf.api.Node;
import io.jhdf.api.dataset.ChunkedDataset;
import io.jhdf.exceptions.HdfException;
import io.jhdf.exceptions.UnsupportedHdfException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.RunPairs;
import org.hyperslab.format.store.RemoteStores;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.convert.Conversion;
import org.hyperslab.format.type.convert.Converter;
import org.hyperslab.model.AttributeInfo;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.FileInfo;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.LinkInfo;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.Page;
import org.hyperslab.model.PageRequest;
import org.hyperslab.model.StorageSizes;
import org.hyperslab.vol.AttributeOperation;
import org.hyperslab.vol.Capability;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.GroupOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.LinkOperation;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.MultiTransfers;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.TypeOperation;
import org.hyperslab.vol.base.OpenTable;
import org.hyperslab.vol.base.SynchronousConnector;

/**
 * The connector {@code jhdf}, which reads files with jHDF. It reads whole datasets and extracts the
 * selection from them. Features that jHDF lacks are reported by an {@link
 * UnsupportedFeatureException} with its message.
 *
 * <p>Thread rule: any thread.
 */
final class JhdfConnector extends SynchronousConnector {

  /** Its name in configuration strings. */
  public static final String NAME = "jhdf";

  private final JhdfObjects objects;

  /** Creates a connector with nothing open. */
  public JhdfConnector() {
    this(new OpenTable<>());
  }

  private JhdfConnector(OpenTable<JhdfObjects.Open> open) {
    super(NAME, EnumSet.of(Capability.READ, Capability.EXTERNAL_LINKS), open);
    this.objects = new JhdfObjects(open);
  }

  @Override
  protected Object carryOut(Operation<?> operation) {
    if (operation.edits()) {
      throw new UnsupportedFeatureException(
          "connector jhdf: actual=" + operation.getClass().getSimpleName() + ", expected=reading");
    }
    return super.carryOut(operation);
  }

  @Override
  protected HyperslabException typed(Throwable failure, Operation<?> operation) {
    return switch (failure) {
      case HyperslabException already -> already;
      case UnsupportedHdfException unsupported ->
          new UnsupportedFeatureException("jHDF: " + unsupported.getMessage(), unsupported);
      case HdfException refused ->
          new CorruptFileException(
              String.valueOf(operation.subject()),
              "as jHDF reads it",
              CorruptFileException.NO_OFFSET,
              String.valueOf(refused.getMessage()),
              refused);
      case OutOfMemoryError memory -> super.typed(memory, operation);
      // It follows groups that contain themselves endlessly.
      default -> new UnsupportedFeatureException("jHDF failed: " + failure, failure);
    };
  }

  // --- files ---

  @Override
  protected Object file(FileOperation<?> operation) {
    return switch (operation) {
      case FileOperation.Open open -> open(open);
      case FileOperation.Close close -> {
        objects.close(close.file());
        yield null;
      }
      case FileOperation.Flush _ -> null;
      case FileOperation.Describe describe -> info(describe.file());
      case FileOperation.Exists exists -> isReadable(exists.name());
      case FileOperation.Create _, FileOperation.Delete _ -> throw unsupported(operation);
    };
  }

  private FileInfo open(FileOperation.Open open) {
    if (open.options().writable()) {
      throw new UnsupportedFeatureException(
          "connector jhdf: actual=open for editing, expected=open for reading, at="
              + RemoteStores.shown(open.name()));
    }
    Path path = Path.of(open.name());
    if (!Files.exists(path)) {
      throw new NotFoundException(
          "file: actual=not found, expected=" + RemoteStores.shown(open.name()));
    }
    HdfFile file = new HdfFile(path);
    objects.put(open.file(), new JhdfObjects.Open(file, open.file()));
    return info(open.file());
  }

  private FileInfo info(Handle handle) {
    JhdfObjects.Open open = objects.require(handle);
    HdfFile file = open.node().getHdfFile();
    return new FileInfo(
        file.getFileAsPath().toString(),
        false,
        -1,
        file.size(),
        0,
        CreateOptions.DEFAULT.withUserBlock(file.getUserBlockSize()),
        objects.fileNumber(file));
  }

  private static boolean isReadable(String name) {
    try (HdfFile file = new HdfFile(Path.of(name))) {
      return file.size() > 0;
    } catch (HdfException refused) {
      return false;
    }
  }

  // --- links and objects ---

  @Override
  protected Object group(GroupOperation<?> operation) {
    return switch (operation) {
      case GroupOperation.Describe group -> JhdfDescriptions.group(objects.resolve(group.at()));
      case GroupOperation.Create _ -> throw unsupported(operation);
    };
  }

  @Override
  protected Object link(LinkOperation<?> operation) {
    return switch (operation) {
      case LinkOperation.Exists exists -> exists(exists.link());
      case LinkOperation.Describe describe -> JhdfDescriptions.link(objects.link(describe.link()));
      case LinkOperation.ListLinks list -> links(list);
      case LinkOperation<?> _ -> throw unsupported(operation);
    };
  }

  private boolean exists(Location link) {
    try {
      return objects.link(link) != null;
    } catch (NotFoundException none) {
      return false;
    }
  }

  private Page<LinkInfo> links(LinkOperation.ListLinks list) {
    Node group = objects.resolve(list.group());
    JhdfDescriptions.group(group);
    return page(
        JhdfObjects.children(group).stream().map(JhdfDescriptions::link).toList(), list.page());
  }

  private static <T> Page<T> page(List<T> all, PageRequest page) {
    if (page.index() != IterationIndex.NAME) {
      throw new InvalidUseException(
          "order: actual=creation order, which jHDF does not provide, expected=by name");
    }
    List<T> ordered = page.descending() ? all.reversed() : all;
    int from = (int) Math.min(page.position(), ordered.size());
    int to = (int) Math.min((long) from + page.limit(), ordered.size());
    return new Page<>(ordered.subList(from, to), to == ordered.size());
  }

  @Override
  protected Object object(ObjectOperation<?> operation) {
    return switch (operation) {
      case ObjectOperation.Open open ->
          opened(open.object(), objects.resolve(open.at()), open.at().base());
      case ObjectOperation.OpenToken open -> {
        JhdfObjects.Open file = objects.require(open.file());
        Node node = file.node().getHdfFile().getNodeByAddress(open.token().address());
        if (node == null) {
          throw new NotFoundException("object: actual=none, expected=one at " + open.token());
        }
        yield opened(open.object(), node, open.file());
      }
      case ObjectOperation.Describe describe -> described(objects.resolve(describe.at()));
      case ObjectOperation.Measure measure -> {
        objects.resolve(measure.at());
        yield StorageSizes.UNKNOWN;
      }
      case ObjectOperation.PathOf path ->
          JhdfObjects.pathOf(
              objects.require(path.file()).node().getHdfFile(), path.token().address());
      case ObjectOperation.Refresh refresh -> described(objects.require(refresh.object()).node());
      case ObjectOperation.Close close -> {
        objects.close(close.object());
        yield null;
      }
      case ObjectOperation.Flush _ -> null;
      case ObjectOperation.Copy _, ObjectOperation.SetComment _, ObjectOperation.CountReference _ ->
          throw unsupported(operation);
    };
  }

  private ObjectInfo opened(Handle handle, Node node, Handle base) {
    objects.put(handle, new JhdfObjects.Open(node, objects.require(base).file()));
    return described(node);
  }

  private ObjectInfo described(Node node) {
    return JhdfDescriptions.object(node, objects.fileNumber(node));
  }

  @Override
  protected Object type(TypeOperation<?> operation) {
    return switch (operation) {
      case TypeOperation.Describe type ->
          TypeOperation.Spec.of(type(objects.require(type.type()).node()));
      case TypeOperation.Commit _ -> throw unsupported(operation);
    };
  }

  private static Datatype type(Node node) {
    if (node instanceof CommittedDatatype committed) {
      return JhdfTypes.of(committed.getDataType());
    }
    throw new InvalidUseException(
        "object: actual=" + JhdfDescriptions.kind(node) + ", expected=COMMITTED_TYPE");
  }

  // --- elements ---

  @Override
  protected Object dataset(DatasetOperation<?> operation) {
    return switch (operation) {
      case DatasetOperation.Describe dataset ->
          JhdfDescriptions.dataset(objects.require(dataset.dataset()).node());
      case DatasetOperation.Read read -> read(read);
      case DatasetOperation.ReadMulti reads -> readAll(reads);
      case DatasetOperation<?> _ -> throw unsupported(operation);
    };
  }

  private Object readAll(DatasetOperation.ReadMulti reads) {
    List<DatasetInfo> infos = new ArrayList<>();
    for (int i = 0; i < reads.parts().size(); i++) {
      Handle dataset = reads.parts().get(i).dataset();
      MultiTransfers.located(
          reads, i, () -> infos.add(JhdfDescriptions.dataset(objects.require(dataset).node())));
      MultiTransfers.requireFits(reads, i, infos.get(i).type(), infos.get(i).space());
    }
    for (int i = 0; i < reads.parts().size(); i++) {
      DatasetOperation.Read read = reads.parts().get(i);
      MultiTransfers.located(reads, i, () -> read(read));
    }
    return null;
  }

  private Object read(DatasetOperation.Read read) {
    Dataset dataset = JhdfDescriptions.requireDataset(objects.require(read.dataset()).node());
    if (JhdfDescriptions.hasNullSpace(dataset)) {
      return null;
    }
    requireFillKnown(dataset);
    Datatype stored = JhdfTypes.of(dataset.getDataType()).inMemory();
    int[] dims = dataset.getDimensions();
    DataBuffer all = new JhdfValues(stored, dims).encode(JhdfValues.of(dataset));
    DatasetOperation.Transfer transfer = read.transfer();
    long[] extent = new long[dims.length];
    for (int d = 0; d < dims.length; d++) {
      extent[d] = dims[d];
    }
    RunPairs pairs =
        RunPairs.of(
            transfer.fileSelection(),
            extent,
            transfer.memorySelection(),
            transfer.memorySpace().dims());
    Conversion conversion =
        Converter.between(stored, transfer.memoryType()).open(all.heap(), read.target().heap());
    MemorySegment target = read.target().elements();
    while (pairs.next()) {
      conversion.convert(
          all.elements(),
          pairs.fileOffset() * stored.size(),
          target,
          pairs.memoryOffset() * transfer.memoryType().size(),
          pairs.length());
    }
    return null;
  }

  /**
   * jHDF returns zeros, or nothing, for elements that were never written, whatever the fill value.
   */
  private static void requireFillKnown(Dataset dataset) {
    boolean chunked = dataset instanceof ChunkedDataset;
    if (dataset.isEmpty() || (chunked && dataset.getFillValue() != null)) {
      throw new UnsupportedFeatureException(
          "jHDF and fill values: actual="
              + (dataset.isEmpty() ? "no storage" : "possibly missing chunks")
              + ", expected=every element written, at="
              + dataset.getPath());
    }
  }

  @Override
  protected Object attribute(AttributeOperation<?> operation) {
    return switch (operation) {
      case AttributeOperation.Describe describe ->
          JhdfDescriptions.attribute(attribute(describe.object(), describe.name()));
      case AttributeOperation.Exists exists ->
          objects.resolve(exists.object()).getAttributes().containsKey(exists.name());
      case AttributeOperation.ListAttributes list -> attributes(list);
      case AttributeOperation.Read read -> {
        Attribute attribute = attribute(read.object(), read.name());
        if (!attribute.isEmpty()) {
          Datatype stored = JhdfTypes.of(attribute.getDataType()).inMemory();
          DataBuffer all =
              new JhdfValues(stored, attribute.getDimensions()).encode(JhdfValues.of(attribute));
          Converter.between(stored, read.memoryType())
              .open(all.heap(), read.target().heap())
              .convert(
                  all.elements(),
                  0,
                  read.target().elements(),
                  0,
                  all.elements().byteSize() / stored.size());
        }
        yield null;
      }
      case AttributeOperation<?> _ -> throw unsupported(operation);
    };
  }

  private Attribute attribute(Location object, String name) {
    Attribute attribute = objects.resolve(object).getAttributes().get(name);
    if (attribute == null) {
      throw new NotFoundException("attribute: actual=none, expected=" + name);
    }
    return attribute;
  }

  private Page<AttributeInfo> attributes(AttributeOperation.ListAttributes list) {
    List<AttributeInfo> all =
        objects.resolve(list.object()).getAttributes().values().stream()
            .map(JhdfDescriptions::attribute)
            .sorted((a, b) -> JhdfObjects.compareBytes(a.name(), b.name()))
            .toList();
    PageRequest page = list.page();
    return page(
        all,
        list.orStored()
            ? new PageRequest(IterationIndex.NAME, page.descending(), page.position(), page.limit())
            : page);
  }

  @Override
  public void close() {
    objects.closeAll();
  }
}
