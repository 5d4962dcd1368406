package org.hyperslab.tools.listing;

import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
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
import org.hyperslab.interchange.json.ElementJson;
import org.hyperslab.interchange.json.JsonOutput;
import org.hyperslab.interchange.json.ObjectJson;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.Layout;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.tools.command.Streams;
import org.hyperslab.tools.walk.DatasetPieces;

/**
 * Lists what {@link GroupListing} lists as one document of JSON, written while the files are read.
 * Soft and external links are described and not followed.
 */
final class JsonListing {

  private final JsonOutput out;
  private final PrintStream errors;
  private final ListingOptions options;
  private final Deque<Level> levels = new ArrayDeque<>();
  private H5File file;
  private boolean complete;

  /**
   * A group that is being listed.
   *
   * @param group the open group
   * @param links its remaining links
   * @param prefix its path, with a slash at its end
   */
  private record Level(Group group, Iterator<Link> links, String prefix) {}

  /**
   * Begins the document.
   *
   * @param streams receive the document, and messages
   * @param options what to list
   */
  JsonListing(Streams streams, ListingOptions options) {
    this.errors = streams.err();
    this.options = options;
    this.out = new JsonOutput(streams.out()).withExactNumbers();
    out.open('{').name("files").open('[');
  }

  /** Ends the document. */
  void end() {
    out.close(']').close('}').end();
  }

  /**
   * Adds a file that cannot be opened.
   *
   * @param name its name
   * @param reason why not
   */
  void unopened(String name, String reason) {
    out.open('{').member("file", name).member("error", reason).close('}');
  }

  /**
   * Adds what is at a path of a file.
   *
   * @param opened the file
   * @param path the path
   * @return whether everything exists and could be read
   */
  boolean list(H5File opened, String path) {
    file = opened;
    complete = true;
    out.open('{').member("file", file.name()).member("path", path);
    String missing = null;
    out.name("objects").open('[');
    try {
      start(path);
    } catch (HyperslabException failure) {
      complete = false;
      missing = failure.getMessage();
    } finally {
      levels.forEach(level -> level.group.close());
      levels.clear();
    }
    out.close(']');
    if (missing != null) {
      out.member("error", missing);
      errors.println(path + ": " + missing);
    }
    out.close('}');
    return complete;
  }

  private void start(String path) {
    boolean isRoot = path.equals("/");
    if (!isRoot) {
      Link link = file.root().link(path);
      if (link.kind() != LinkKind.HARD) {
        symbolic(path, link);
        return;
      }
    }
    H5Object object = file.get(path);
    Map<Long, String> seen = new HashMap<>();
    if (!(object instanceof Group group) || options.groupItself) {
      try (object) {
        describe(path, object);
      }
      return;
    }
    ObjectInfo info = group.info();
    seen.put(info.token().address(), path);
    if (isRoot && options.recursive) {
      describe(path, group);
    }
    enter(group, path.replaceAll("/+$", ""));
    members(seen);
  }

  private void enter(Group group, String path) {
    levels.push(new Level(group, group.links().iterator(), path + "/"));
  }

  private void members(Map<Long, String> seen) {
    while (!levels.isEmpty()) {
      Level level = levels.peek();
      Link link = null;
      try {
        link = level.links.hasNext() ? level.links.next() : null;
      } catch (HyperslabException failure) {
        unreadable(level.prefix, failure);
      }
      if (link == null) {
        levels.pop().group.close();
      } else if (link.kind() == LinkKind.HARD) {
        hard(level, link, seen);
      } else {
        symbolic(level.prefix + link.name(), link);
      }
    }
  }

  private void hard(Level level, Link link, Map<Long, String> seen) {
    String path = level.prefix + link.name();
    H5Object object;
    try {
      object = level.group.get(link.name());
    } catch (HyperslabException failure) {
      unreadable(path, failure);
      return;
    }
    boolean entered = false;
    try {
      String before = seen.putIfAbsent(object.token().address(), path);
      if (before == null) {
        describe(path, object);
        entered = options.recursive && object instanceof Group;
      } else {
        String kind = ObjectJson.kind(object.kind());
        out.open('{').member("path", path).member("kind", kind).member("same_as", before);
        out.close('}');
      }
    } finally {
      if (!entered) {
        object.close();
      }
    }
    if (entered) {
      enter((Group) object, path);
    }
  }

  private void symbolic(String path, Link link) {
    out.open('{').member("path", path).member("kind", ObjectJson.kind(link));
    ObjectJson.of(out).target(link);
    out.close('}');
  }

  private void unreadable(String path, HyperslabException failure) {
    complete = false;
    errors.println(path + ": " + failure.getMessage());
    out.open('{').member("path", path).member("kind", "other");
    out.member("error", failure.getMessage()).close('}');
  }

  /** Adds an object as a whole, or why it cannot be read. */
  private void describe(String path, H5Object object) {
    JsonOutput one = new JsonOutput(Integer.MAX_VALUE).withExactNumbers();
    try {
      ObjectInfo info = object.info();
      one.open('{').member("path", path).member("kind", ObjectJson.kind(object.kind()));
      one.member("address", info.token().address()).member("links", info.referenceCount());
      ObjectJson json = options.data ? ObjectJson.withValues(one, file) : ObjectJson.of(one);
      json.members(object);
      if (object instanceof Dataset dataset) {
        storage(one, dataset);
        if (options.data) {
          value(path, one, dataset);
        }
      }
      one.close('}');
    } catch (HyperslabException failure) {
      unreadable(path, failure);
      return;
    }
    out.value(one);
  }

  private void storage(JsonOutput one, Dataset dataset) {
    DatasetInfo info = dataset.datasetInfo();
    one.name("max_shape");
    if (info.space().kind() == Dataspace.Kind.NULL) {
      one.value((String) null);
    } else {
      one.open('[');
      for (long length : info.space().maxDims()) {
        one.number(length == Dataspace.UNLIMITED ? null : (Number) length);
      }
      one.close(']');
    }
    one.member("layout", layout(info.options().layout()));
    one.member("stored_bytes", info.storage().allocatedBytes());
  }

  /** Adds the elements, or null and why they cannot be read or are too many. */
  private void value(String path, JsonOutput one, Dataset dataset) {
    try {
      JsonOutput elements = new JsonOutput(Integer.MAX_VALUE).withExactNumbers();
      elements(elements, dataset);
      one.name("value").value(elements);
    } catch (HyperslabException failure) {
      complete = false;
      errors.println(path + ": " + failure.getMessage());
      one.member("value", (String) null).member("error", failure.getMessage());
    }
  }

  private static String layout(Layout layout) {
    return switch (layout) {
      case Layout.Compact _ -> "compact";
      case Layout.Contiguous _, Layout.Auto _ -> "contiguous";
      case Layout.External _ -> "external";
      case Layout.Chunked _ -> "chunked";
      case Layout.Virtual _ -> "virtual";
    };
  }

  private void elements(JsonOutput one, Dataset dataset) {
    DatasetInfo info = dataset.datasetInfo();
    Dataspace space = info.space();
    if (space.kind() == Dataspace.Kind.NULL) {
      one.value((String) null);
      return;
    }
    ElementJson.requireText(info.type(), space.elementCount());
    Datatype type = info.type().inMemory();
    DataBuffer data = DatasetPieces.read(dataset, type, Selection.all(), space.elementCount());
    Memory memory = new Memory(info.type(), space, Selection.all(), data);
    new ElementJson(file, one).write(memory, space.dims());
  }
}
