package org.hyperslab.machine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;

/**
 * Reads the processors of a node from hwloc's XML, versions 1 and 2: nested elements {@code object}
 * whose attribute {@code type} is Machine, Package, a cache, Core or PU. An irregular structure,
 * such as packages with different numbers of cores, becomes one part.
 */
final class HwlocXml {

  private static final long MAX_BYTES = 64L << 20;
  private static final int MAX_OBJECTS = 1 << 20;
  private static final int MAX_DEPTH = 64;

  private final String source;
  private int objects;

  /** The content of an object: processing units, and the parts that they form, innermost first. */
  private static final class Inside {
    final String type;
    int units;
    final List<Inside> children = new ArrayList<>();
    final List<NodeShape.Part> parts = new ArrayList<>();

    Inside(String type) {
      this.type = type;
    }
  }

  private HwlocXml(String source) {
    this.source = source;
  }

  static NodeShape read(Path file) {
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw new InvalidUseException(
            "hwloc XML: actual="
                + Files.size(file)
                + " bytes, expected=at most "
                + MAX_BYTES
                + ", at="
                + file);
      }
      try (InputStream in = Files.newInputStream(file)) {
        return new HwlocXml(file.toString()).parse(in);
      }
    } catch (IOException failure) {
      throw new StorageException("hwloc XML: actual=unreadable, at=" + file, failure);
    }
  }

  private NodeShape parse(InputStream in) {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    Inside root = new Inside("topology");
    try {
      XMLStreamReader reader = factory.createXMLStreamReader(in);
      while (reader.hasNext()) {
        if (reader.next() == XMLStreamConstants.START_ELEMENT
            && reader.getLocalName().equals("object")) {
          root.children.add(object(reader, 0));
        }
      }
    } catch (XMLStreamException wrong) {
      throw new InvalidUseException(
          "hwloc XML: actual=" + wrong.getMessage() + ", expected=well-formed XML, at=" + source,
          wrong);
    }
    close(root);
    if (root.units == 0) {
      throw new InvalidUseException(
          "hwloc XML: actual=no object of type PU, expected=at least one, at=" + source);
    }
    return root.parts.isEmpty()
        ? NodeShape.flat(root.units, ThisMachine.nominal("node"), 1)
        : new NodeShape(root.parts, 1);
  }

  private Inside object(XMLStreamReader reader, int depth) throws XMLStreamException {
    String type = reader.getAttributeValue(null, "type");
    if (type == null || depth > MAX_DEPTH || ++objects > MAX_OBJECTS) {
      throw new InvalidUseException(
          ("hwloc XML: actual=object %d of depth %d and type %s, expected=a known type, depth up to"
                  + " %d, %d objects, at=%s, line %d")
              .formatted(
                  objects,
                  depth,
                  type,
                  MAX_DEPTH,
                  MAX_OBJECTS,
                  source,
                  reader.getLocation().getLineNumber()));
    }
    Inside inside = new Inside(type);
    for (int nested = 0; nested >= 0; ) {
      int event = reader.next();
      if (event == XMLStreamConstants.START_ELEMENT && reader.getLocalName().equals("object")) {
        inside.children.add(object(reader, depth + 1));
      } else if (event == XMLStreamConstants.START_ELEMENT) {
        nested++;
      } else if (event == XMLStreamConstants.END_ELEMENT) {
        nested--;
      }
    }
    close(inside);
    return inside;
  }

  /** Merges the contents of the children into their parent, and removes them. */
  private static void close(Inside inside) {
    if (inside.type.equals("PU")) {
      inside.units = 1;
      return;
    }
    inside.children.removeIf(child -> child.units == 0);
    if (inside.children.isEmpty()) {
      return;
    }
    Inside first = inside.children.getFirst();
    inside.units = inside.children.stream().mapToInt(child -> child.units).sum();
    boolean even = inside.children.stream().allMatch(child -> child.parts.equals(first.parts));
    if (even) {
      inside.parts.addAll(first.parts);
    }
    int arity = even ? inside.children.size() : inside.units;
    if (arity > 1) {
      inside.parts.add(new NodeShape.Part(arity, ThisMachine.nominal(name(inside.type))));
    }
    inside.children.clear();
  }

  private static String name(String type) {
    return type.equals("Machine") || type.equals("topology")
        ? "node"
        : type.toLowerCase(Locale.ROOT);
  }
}
