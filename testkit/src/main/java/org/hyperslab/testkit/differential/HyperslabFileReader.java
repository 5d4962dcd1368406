package org.hyperslab.testkit.differential;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.Attribute;
import org.hyperslab.CommittedType;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Link;
import org.hyperslab.Memory;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.AttributeInfo;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.Layout;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.model.ObjectToken;

/** Reads a file through the public API into lines of the form of {@link Model#lines}. */
final class HyperslabFileReader {

  private final H5File file;
  private final Map<Long, String> paths = new HashMap<>();
  private final List<String> order = new ArrayList<>();
  private final HyperslabElements elements;

  HyperslabFileReader(H5File file) {
    this.file = file;
    elements = new HyperslabElements(file, paths);
  }

  List<String> lines() {
    collect(file.root(), "/");
    List<String> lines = new ArrayList<>();
    for (String path : order) {
      try (H5Object object = file.get(path)) {
        lines.add(Json.text(line(object, path)));
      } catch (HyperslabException failure) {
        throw new Side.Refusal("reading " + path + ": " + failure, failure);
      }
    }
    return lines;
  }

  private void collect(H5Object object, String path) {
    paths.put(object.token().address(), path);
    order.add(path);
    if (!(object instanceof Group group)) {
      return;
    }
    List<Link> links = group.links().sorted(Comparator.comparing(Link::name)).toList();
    for (Link link : links) {
      if (link.kind() == LinkKind.HARD && !paths.containsKey(link.info().token().address())) {
        try (H5Object below = group.get(link.name())) {
          collect(below, (path.equals("/") ? "" : path) + "/" + link.name());
        }
      }
    }
  }

  private List<Object> line(H5Object object, String path) {
    List<Object> line = new ArrayList<>();
    line.add(path);
    switch (object) {
      case Group group -> {
        line.add("group");
        line.add(group.links().sorted(Comparator.comparing(Link::name)).map(this::line).toList());
        line.add(
            group.groupInfo().options().creationOrderTracked()
                ? group.links(IterationIndex.CREATION_ORDER, false).map(Link::name).toList()
                : null);
      }
      case Dataset dataset -> line(dataset, line);
      case CommittedType type -> {
        line.add("type");
        line.add(HyperslabTypes.tree(type.datatype()));
      }
      default -> throw new IllegalStateException("unknown object " + object);
    }
    line.add(object.comment().orElse(""));
    line.add(attributes(object));
    return line;
  }

  private List<Object> line(Link link) {
    return switch (link.kind()) {
      case HARD -> List.of(link.name(), "hard", paths.get(link.info().token().address()));
      case SOFT -> List.of(link.name(), "soft", link.targetPath().orElseThrow());
      case EXTERNAL ->
          List.of(
              link.name(),
              "external",
              link.targetFile().orElseThrow(),
              link.targetPath().orElseThrow());
      case USER_DEFINED -> List.of(link.name(), "user");
    };
  }

  private void line(Dataset dataset, List<Object> line) {
    DatasetInfo info = dataset.datasetInfo();
    line.add("dataset");
    line.add(HyperslabTypes.tree(info.type()));
    line.add(committed(info.committedType()));
    line.add(dims(info.space()));
    line.add(most(info.space()));
    line.add(layout(info.options().layout()));
    line.add(info.options().filters().stream().map(FilterSpec::id).toList());
    line.add(fill(info.options().fill()));
    Datatype memory = info.type().inMemory();
    int count = count(info.space());
    DataBuffer buffer = DataBuffer.allocate(memory, count);
    if (count > 0) {
      dataset.readInto(Selection.all(), new Memory(memory, info.space(), Selection.all(), buffer));
    }
    line.add(elements.decode(memory, buffer, count));
  }

  private static int count(Dataspace space) {
    return space.kind() == Dataspace.Kind.NULL ? 0 : Math.toIntExact(space.elementCount());
  }

  private String committed(Optional<ObjectToken> type) {
    return type.map(one -> paths.getOrDefault(one.address(), "nowhere")).orElse(null);
  }

  private static List<Long> dims(Dataspace space) {
    return space.kind() == Dataspace.Kind.NULL ? null : Shapes.list(space.dims());
  }

  private static List<Long> most(Dataspace space) {
    return space.kind() == Dataspace.Kind.NULL
        ? null
        : Arrays.stream(space.maxDims())
            .map(one -> one == Dataspace.UNLIMITED ? -1 : one)
            .boxed()
            .toList();
  }

  private static List<Object> layout(Layout layout) {
    return switch (layout) {
      case Layout.Auto ignored -> List.of("auto");
      case Layout.Compact ignored -> List.of("compact");
      case Layout.Contiguous ignored -> List.of("contiguous");
      case Layout.Chunked chunked -> List.of("chunk", chunked.dims());
      case Layout.External ignored -> List.of("external");
      case Layout.Virtual ignored -> List.of("virtual");
    };
  }

  private Object fill(FillValue fill) {
    return switch (fill) {
      case FillValue.Default ignored -> "default";
      case FillValue.Undefined ignored -> "undefined";
      case FillValue.Value value ->
          elements.decode(value.type().inMemory(), value.value(), 1).getFirst();
    };
  }

  private List<Object> attributes(H5Object object) {
    List<Object> result = new ArrayList<>();
    List<Attribute> all =
        object.attributes().sorted(Comparator.comparing(Attribute::name)).toList();
    for (Attribute attribute : all) {
      AttributeInfo info = attribute.info();
      Datatype memory = info.type().inMemory();
      int count = count(info.space());
      DataBuffer buffer = DataBuffer.allocate(memory, count);
      if (info.space().kind() != Dataspace.Kind.NULL) {
        attribute.read(memory, buffer);
      }
      List<Object> line = new ArrayList<>();
      line.add(info.name());
      line.add(HyperslabTypes.tree(info.type()));
      line.add(committed(info.committedType()));
      line.add(dims(info.space()));
      line.add(elements.decode(memory, buffer, count));
      result.add(line);
    }
    if (tracked(object)) {
      result.add(
          object.attributes(IterationIndex.CREATION_ORDER, false).map(Attribute::name).toList());
    }
    return result;
  }

  private static boolean tracked(H5Object object) {
    return switch (object) {
      case Group group -> group.groupInfo().options().attributes().creationOrderTracked();
      case Dataset dataset -> dataset.options().attributes().creationOrderTracked();
      default -> object.kind() != ObjectKind.COMMITTED_TYPE && object.info().creationOrderTracked();
    };
  }
}
