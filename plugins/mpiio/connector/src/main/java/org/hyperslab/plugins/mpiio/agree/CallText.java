package org.hyperslab.plugins.mpiio.agree;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.store.RemoteStores;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FillValue;
import org.hyperslab.vol.AttributeOperation;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.GroupOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.LinkOperation;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.StepOperation;
import org.hyperslab.vol.TypeOperation;

/**
 * Describes the parts of an operation that must be the same on all ranks. Handles, which each rank
 * creates by itself, appear as the labels of their objects. The text omits the parts that may
 * differ: the elements written to a dataset, and both selections of a transfer. The elements of an
 * attribute must be the same on all ranks, because the file has one copy of them, so the text
 * contains a hash of them.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class CallText {

  private final Function<Handle, String> labels;

  /**
   * Creates a describer of operations.
   *
   * @param labels returns the label of a handle's object, the same on all ranks
   */
  public CallText(Function<Handle, String> labels) {
    this.labels = labels;
  }

  /**
   * {@return the operation as ranks compare it}
   *
   * @param operation the operation
   */
  public ComparedCall of(Operation<?> operation) {
    return switch (operation) {
      case FileOperation<?> o -> file(o);
      case GroupOperation<?> o -> group(o);
      case LinkOperation<?> o -> link(o);
      case ObjectOperation<?> o -> object(o);
      case DatasetOperation<?> o -> dataset(o);
      case AttributeOperation<?> o -> attribute(o);
      case TypeOperation<?> o -> type(o);
      case StepOperation<?> o -> call("steps of file", labels.apply(o.file()));
    };
  }

  private static ComparedCall call(String kind, Object... rest) {
    StringBuilder text = new StringBuilder(kind);
    for (Object part : rest) {
      text.append(' ').append(part);
    }
    return new ComparedCall(kind, text.toString());
  }

  private String at(Location location) {
    return location.isBase()
        ? labels.apply(location.base())
        : '"' + location.path() + "\" in " + labels.apply(location.base());
  }

  private static String quoted(String name) {
    return '"' + name + '"';
  }

  private ComparedCall file(FileOperation<?> operation) {
    return switch (operation) {
      case FileOperation.Open o ->
          call("open file", quoted(RemoteStores.shown(o.name())), o.options());
      case FileOperation.Create o ->
          call("create file", quoted(RemoteStores.shown(o.name())), o.options());
      case FileOperation.Flush o -> call("flush file", labels.apply(o.file()));
      case FileOperation.Close o -> call("close file", labels.apply(o.file()));
      case FileOperation.Describe o -> call("describe file", labels.apply(o.file()));
      case FileOperation.Exists o -> call("does file exist", quoted(RemoteStores.shown(o.name())));
      case FileOperation.Delete o -> call("delete file", quoted(RemoteStores.shown(o.name())));
    };
  }

  private ComparedCall group(GroupOperation<?> operation) {
    return switch (operation) {
      case GroupOperation.Create o -> call("create group", at(o.at()), o.options(), o.link());
      case GroupOperation.Describe o -> call("describe group", at(o.at()));
    };
  }

  private ComparedCall link(LinkOperation<?> operation) {
    return switch (operation) {
      case LinkOperation.CreateHard o ->
          call("create hard link", at(o.link()), "to", at(o.target()), o.options());
      case LinkOperation.CreateSoft o ->
          call("create soft link", at(o.link()), "to", quoted(o.targetPath()), o.options());
      case LinkOperation.CreateExternal o ->
          call(
              "create external link",
              at(o.link()),
              "to",
              quoted(o.targetPath()),
              "of file",
              quoted(o.targetFile()),
              o.options());
      case LinkOperation.CreateUserDefined o ->
          call("create link of class " + o.userClass(), at(o.link()), o.data(), o.options());
      case LinkOperation.Delete o -> call("delete link", at(o.link()));
      case LinkOperation.Move o -> call("move link", at(o.from()), "to", at(o.to()), o.options());
      case LinkOperation.Copy o -> call("copy link", at(o.from()), "to", at(o.to()), o.options());
      case LinkOperation.Exists o -> call("does link exist", at(o.link()));
      case LinkOperation.Describe o -> call("describe link", at(o.link()));
      case LinkOperation.ListLinks o -> call("list links", at(o.group()), o.page());
    };
  }

  private ComparedCall object(ObjectOperation<?> operation) {
    return switch (operation) {
      case ObjectOperation.Open o -> call("open object", at(o.at()));
      case ObjectOperation.OpenToken o -> call("open object", o.token(), labels.apply(o.file()));
      case ObjectOperation.Describe o -> call("describe object", at(o.at()));
      case ObjectOperation.Measure o -> call("measure object", at(o.at()));
      case ObjectOperation.PathOf o -> call("path of object", o.token(), labels.apply(o.file()));
      case ObjectOperation.Copy o ->
          call("copy object", at(o.source()), "to", at(o.destination()), o.options(), o.link());
      case ObjectOperation.SetComment o -> call("set comment", at(o.at()), o.comment());
      case ObjectOperation.CountReference o ->
          call(o.adds() ? "add reference" : "take reference away", at(o.at()));
      case ObjectOperation.Flush o -> call("flush object", labels.apply(o.object()));
      case ObjectOperation.Refresh o -> call("refresh object", labels.apply(o.object()));
      case ObjectOperation.Close o -> call("close object", labels.apply(o.object()));
    };
  }

  private ComparedCall dataset(DatasetOperation<?> operation) {
    return switch (operation) {
      case DatasetOperation.Create o ->
          call(
              "create dataset",
              at(o.at()),
              o.spec().space(),
              o.spec().type(),
              o.spec().committedType().map(labels).orElse(""),
              options(o.spec().options()),
              o.link());
      case DatasetOperation.Describe o -> call("describe dataset", labels.apply(o.dataset()));
      case DatasetOperation.Read o -> call("read dataset", labels.apply(o.dataset()));
      case DatasetOperation.Write o -> call("write dataset", labels.apply(o.dataset()));
      case DatasetOperation.ReadMulti o -> call("read datasets", labelsOf(o));
      case DatasetOperation.WriteMulti o -> call("write datasets", labelsOf(o));
      case DatasetOperation.SetExtent o ->
          call("set extent", labels.apply(o.dataset()), "to", o.dims());
      case DatasetOperation.Extend o -> call("extend", labels.apply(o.dataset()), "by", o.rows());
      case DatasetOperation.SetAccess o ->
          call("set access", labels.apply(o.dataset()), "to", o.properties());
      case DatasetOperation.Select o ->
          call("select", o.condition(), "of", labels.apply(o.dataset()), o.places());
      case DatasetOperation.Summarize o ->
          call("summarize", o.field(), "of", labels.apply(o.dataset()));
      case DatasetOperation.ListChunks o ->
          call("list chunks", labels.apply(o.dataset()), o.page());
      case DatasetOperation.ReadChunk o ->
          call("read chunk", o.offset(), "of", labels.apply(o.dataset()));
      case DatasetOperation.WriteChunk o ->
          call(
              "write chunk",
              o.offset(),
              "of",
              labels.apply(o.dataset()),
              o.chunk().filterMask(),
              ElementsText.of(List.of(o.chunk().bytes())));
    };
  }

  private String labelsOf(DatasetOperation.Multi multi) {
    return multi.parts().stream()
        .map(part -> labels.apply(part.subject()))
        .collect(Collectors.joining(", "));
  }

  /**
   * Returns the options of a dataset as text that is the same on all ranks. A fill value is a
   * buffer, whose own text would contain a memory address.
   */
  private static String options(DatasetOptions options) {
    if (!(options.fill() instanceof FillValue.Value(var type, var value))) {
      return options.toString();
    }
    return options.toBuilder().fill(new FillValue.Default()).build()
        + " fill "
        + type.describe()
        + " "
        + ElementsText.of(type, value, 1);
  }

  private ComparedCall attribute(AttributeOperation<?> operation) {
    return switch (operation) {
      case AttributeOperation.Create o ->
          call("create attribute", quoted(o.name()), "of", at(o.object()), spec(o.spec()));
      case AttributeOperation.Set o ->
          call(
              o.replace() ? "set attribute" : "create attribute with its elements",
              quoted(o.name()),
              "of",
              at(o.object()),
              spec(o.spec()),
              o.content().memoryType(),
              ElementsText.of(
                  o.content().memoryType(), o.content().source(), elements(o.spec().space())));
      case AttributeOperation.Describe o ->
          call("describe attribute", quoted(o.name()), "of", at(o.object()));
      case AttributeOperation.ListAttributes o ->
          call("list attributes", "of", at(o.object()), o.page(), o.orStored() ? "stored" : "");
      case AttributeOperation.Exists o ->
          call("does attribute exist", quoted(o.name()), "of", at(o.object()));
      case AttributeOperation.Read o ->
          call("read attribute", quoted(o.name()), "of", at(o.object()), o.memoryType());
      case AttributeOperation.Write o ->
          call(
              "write attribute",
              quoted(o.name()),
              "of",
              at(o.object()),
              o.memoryType(),
              ElementsText.of(o.memoryType(), o.source(), Long.MAX_VALUE));
      case AttributeOperation.Rename o ->
          call("rename attribute", quoted(o.from()), "to", quoted(o.to()), "of", at(o.object()));
      case AttributeOperation.Delete o ->
          call("delete attribute", quoted(o.name()), "of", at(o.object()));
    };
  }

  private String spec(AttributeOperation.Spec spec) {
    return spec.space()
        + " "
        + spec.type()
        + " "
        + spec.committedType().map(labels).orElse("")
        + " "
        + spec.charset();
  }

  private static long elements(Dataspace space) {
    return space.kind() == Dataspace.Kind.NULL ? 0 : space.elementCount();
  }

  private ComparedCall type(TypeOperation<?> operation) {
    return switch (operation) {
      case TypeOperation.Commit o -> call("commit type", at(o.at()), o.spec(), o.link());
      case TypeOperation.Describe o -> call("describe type", labels.apply(o.type()));
    };
  }
}
