package org.hyperslab.remote;

import java.io.ByteArrayInputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.RemoteStores;

/**
 * One page of the list of a bucket: XML without document types and entities of its own.
 *
 * @param entries the objects and common prefixes with their whole keys
 * @param next the token that asks for the next page; empty at the end
 */
record S3Page(List<RemoteStores.Entry> entries, Optional<String> next) {

  private static final int MOST_DEPTH = 16;
  private static final int MOST_TEXT = 1 << 14;

  S3Page {
    entries = List.copyOf(entries);
  }

  /**
   * Reads a page.
   *
   * @param place what messages name
   * @throws StorageException if it is not such a page
   */
  static S3Page parse(byte[] xml, String place) {
    try {
      XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
      factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
      factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
      factory.setProperty(XMLInputFactory.IS_COALESCING, true);
      factory.setXMLResolver((publicId, systemId, base, namespace) -> {
        throw new XMLStreamException("an external entity");
      });
      return new Reader(factory.createXMLStreamReader(new ByteArrayInputStream(xml))).page();
    } catch (XMLStreamException | IllegalArgumentException malformed) {
      throw new StorageException(
          "list failed: actual=an answer that is no list of objects, expected=the XML of"
              + " ListObjectsV2, at="
              + place,
          malformed);
    }
  }

  /** Reads the elements of a page. */
  private static final class Reader {
    private final XMLStreamReader xml;
    private final Deque<String> open = new ArrayDeque<>();
    private final List<RemoteStores.Entry> entries = new ArrayList<>();

    /** The texts of the page's own elements. */
    private final Map<String, String> page = new HashMap<>();

    /** The texts of the object or prefix that is being read. */
    private final Map<String, String> item = new HashMap<>();

    Reader(XMLStreamReader xml) {
      this.xml = xml;
    }

    S3Page page() throws XMLStreamException {
      StringBuilder text = new StringBuilder();
      while (xml.hasNext()) {
        switch (xml.next()) {
          case XMLStreamConstants.START_ELEMENT -> {
            open.push(xml.getLocalName());
            text.setLength(0);
            require(open.size() <= MOST_DEPTH);
          }
          case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
            text.append(xml.getText());
            require(text.length() <= MOST_TEXT);
          }
          case XMLStreamConstants.END_ELEMENT -> {
            end(text.toString());
            text.setLength(0);
          }
          case XMLStreamConstants.DTD, XMLStreamConstants.ENTITY_REFERENCE -> require(false);
          default -> {
            // Comments and the like mean nothing.
          }
        }
      }
      require(page.containsKey("root"));
      boolean more = "true".equals(page.get("IsTruncated"));
      String token = page.get("NextContinuationToken");
      require(!more || token != null);
      return new S3Page(entries, more ? Optional.ofNullable(token) : Optional.empty());
    }

    private void end(String text) {
      String name = open.pop();
      if (open.isEmpty()) {
        require(name.equals("ListBucketResult"));
        page.put("root", name);
      } else if (open.size() == 1 && name.equals("Contents")) {
        String key = key("Key");
        entries.add(new RemoteStores.Entry(key, key.endsWith("/"), size()));
        item.clear();
      } else if (open.size() == 1 && name.equals("CommonPrefixes")) {
        entries.add(new RemoteStores.Entry(key("Prefix"), true, -1));
        item.clear();
      } else if (open.size() == 1) {
        page.put(name, text);
      } else if (open.size() == 2) {
        item.put(name, text);
      }
    }

    private String key(String name) {
      String key = item.get(name);
      require(key != null);
      return "url".equals(page.get("EncodingType"))
          ? URLDecoder.decode(key, StandardCharsets.UTF_8)
          : key;
    }

    private long size() {
      String size = item.getOrDefault("Size", "");
      require(size.matches("[0-9]{1,18}"));
      return Long.parseLong(size);
    }

    private static void require(boolean fits) {
      if (!fits) {
        throw new IllegalArgumentException("not a page of ListObjectsV2");
      }
    }
  }
}
