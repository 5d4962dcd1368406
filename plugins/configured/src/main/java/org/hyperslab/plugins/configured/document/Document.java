package org.hyperslab.plugins.configured.document;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * Reads the text of a configuration file, YAML or JSON, as a tree. The length of the text, the
 * depth of the tree and the number of its parts are bounded, where a part counts as often as it is
 * referred to.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class Document {

  /** The greatest length of a text, in characters. */
  public static final int MAX_CHARACTERS = 1 << 20;

  private static final int MAX_PARTS = 100_000;
  private static final int MAX_DEPTH = 32;

  private final String file;
  private int parts;

  private Document(String file) {
    this.file = file;
  }

  /**
   * Reads a text.
   *
   * @param text the text, one document
   * @param file the name of the file, for messages
   * @return the tree
   * @throws InvalidUseException if it is neither YAML nor JSON, is empty or exceeds a bound, with
   *     line and column
   */
  public static DocumentNode read(String text, String file) {
    Document document = new Document(file);
    if (text.length() > MAX_CHARACTERS) {
      throw document
          .start()
          .problem("the file has " + text.length() + " characters; at most " + MAX_CHARACTERS);
    }
    try {
      document.requireFlat(document.parser(text));
      return new Composer(settings(file), document.parser(text))
          .getSingleNode()
          .map(node -> document.tree(node, 0))
          .orElseThrow(
              () -> document.start().problem("the file is empty; it begins with version: 1"));
    } catch (MarkedYamlEngineException e) {
      throw new InvalidUseException(
          document.place(e.getProblemMark()) + ": neither YAML nor JSON: " + e.getProblem(), e);
    } catch (YamlEngineException e) {
      throw new InvalidUseException(
          document.start() + ": neither YAML nor JSON: " + e.getMessage(), e);
    }
  }

  private static LoadSettings settings(String file) {
    return LoadSettings.builder()
        .setLabel(file)
        .setUseMarks(true)
        .setAllowDuplicateKeys(false)
        .setAllowRecursiveKeys(false)
        .setCodePointLimit(MAX_CHARACTERS)
        .build();
  }

  private ParserImpl parser(String text) {
    LoadSettings settings = settings(file);
    return new ParserImpl(settings, new StreamReader(settings, text));
  }

  /** Refuses deep trees before one is built, which takes a frame of the stack for each level. */
  private void requireFlat(ParserImpl events) {
    int depth = 0;
    while (events.hasNext()) {
      Event event = events.next();
      if (event instanceof CollectionStartEvent) {
        depth++;
      } else if (event instanceof CollectionEndEvent) {
        depth--;
      }
      if (depth > MAX_DEPTH) {
        throw place(event.getStartMark()).problem("more than " + MAX_DEPTH + " levels");
      }
    }
  }

  private Place start() {
    return new Place(file, 1, 1);
  }

  private Place place(Optional<Mark> mark) {
    return mark.map(at -> new Place(file, at.getLine() + 1, at.getColumn() + 1)).orElse(start());
  }

  private DocumentNode tree(Node node, int depth) {
    Place place = place(node.getStartMark());
    if (++parts > MAX_PARTS || depth > MAX_DEPTH) {
      throw place.problem(
          "more than " + MAX_PARTS + " parts, or more than " + MAX_DEPTH + " levels");
    }
    return switch (node) {
      case ScalarNode scalar -> new DocumentNode.Scalar(place, scalar.getValue());
      case SequenceNode sequence -> list(place, sequence, depth);
      case MappingNode mapping -> mapping(place, mapping, depth);
      default -> throw place.problem("neither a text nor a list nor a mapping");
    };
  }

  private DocumentNode list(Place place, SequenceNode sequence, int depth) {
    List<DocumentNode> items = new ArrayList<>();
    for (Node item : sequence.getValue()) {
      items.add(tree(item, depth + 1));
    }
    return new DocumentNode.Sequence(place, items);
  }

  private DocumentNode mapping(Place place, MappingNode mapping, int depth) {
    Map<String, DocumentNode.Entry> entries = new LinkedHashMap<>();
    for (NodeTuple tuple : mapping.getValue()) {
      Place key = place(tuple.getKeyNode().getStartMark());
      if (!(tuple.getKeyNode() instanceof ScalarNode name)) {
        throw key.problem("a key is a word");
      }
      DocumentNode value = tree(tuple.getValueNode(), depth + 1);
      if (entries.put(name.getValue(), new DocumentNode.Entry(key, value)) != null) {
        throw key.problem("key " + name.getValue() + " is given twice; every key once");
      }
    }
    return new DocumentNode.Mapping(place, entries);
  }
}
