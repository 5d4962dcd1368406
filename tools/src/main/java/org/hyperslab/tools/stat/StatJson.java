package org.hyperslab.tools.stat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import org.hyperslab.interchange.json.JsonOutput;
import org.hyperslab.interchange.json.TypeJson;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.FileInfo;

/** Writes the statistics of a file as JSON. What the connector does not know is null. */
final class StatJson {

  private static final String[] LAYOUTS = {"compact", "contiguous", "chunked", "virtual"};
  private static final String[] FILTERS = {
    "none", "gzip", "shuffle", "fletcher32", "szip", "nbit", "scaleoffset", "other"
  };

  private final JsonOutput out;
  private final FileStatistics s;
  private final FileInfo info;
  private final SpaceTotals totals;

  /**
   * Creates a writer.
   *
   * @param out receives the text
   * @param statistics what was counted
   * @param info what the connector knows of the whole file
   */
  StatJson(JsonOutput out, FileStatistics statistics, FileInfo info) {
    this.out = out;
    this.s = statistics;
    this.info = info;
    this.totals = new SpaceTotals(statistics, info);
  }

  /**
   * Writes the document.
   *
   * @param name the name of the file
   */
  void write(String name) {
    out.open('{').member("file", name);
    objects();
    metadata();
    sizes("group_sizes", s.linkCounts);
    sizes("attribute_counts", s.attributeCounts);
    datasets();
    space();
    out.close('}');
  }

  private void number(String name, long value) {
    out.name(name).number(value < 0 ? null : (Number) value);
  }

  private void objects() {
    out.name("objects").open('{');
    number("groups", s.groups);
    number("datasets", s.datasets);
    number("datatypes", s.types);
    number("links", s.links);
    number("other", s.others);
    number("most_links_to_object", s.mostLinksToObject);
    number("most_objects_in_group", s.linkCounts.largest());
    out.close('}');
  }

  private void metadata() {
    out.name("metadata_bytes").open('{');
    number("superblock", info.superblockBytes());
    number("superblock_extension", s.wholeFile.extensionBytes());
    number("user_block", info.creation().userBlockBytes());
    headers("group_headers", s.groupHeaders);
    headers("dataset_headers", s.datasetHeaders);
    headers("datatype_headers", s.typeHeaders);
    structures("groups", s.groupStructures);
    structures("attributes", s.attributeStructures);
    structures("shared_messages", s.sharedStructures);
    number("shared_messages_header", s.wholeFile.sharedHeaderBytes());
    number("chunk_indexes", s.chunkIndexes);
    number("dataset_heaps", s.datasetHeaps);
    number("free_space_managers", s.wholeFile.freeSpaceBytes());
    out.close('}');
  }

  private void headers(String name, FileStatistics.Headers headers) {
    out.name(name).open('{').member("total", headers.total).member("unused", headers.free);
    out.close('}');
  }

  private void structures(String name, FileStatistics.Structures bytes) {
    out.name(name).open('{');
    number("index", bytes.index);
    number("heap", bytes.heap);
    out.close('}');
  }

  private void sizes(String name, SizeHistogram sizes) {
    out.name(name).open('[');
    sizes.forEach((size, count) -> count(size, count));
    out.close(']');
  }

  private void count(long size, long count) {
    out.open('{').member("size", size).member("count", count).close('}');
  }

  private void datasets() {
    out.name("datasets").open('{');
    out.name("ranks").open('[');
    for (int rank = 0; rank < s.ranks.length; rank++) {
      if (s.ranks[rank] > 0) {
        count(rank, s.ranks[rank]);
      }
    }
    out.close(']');
    sizes("lengths_of_rank_1", s.lengths);
    counts("layouts", LAYOUTS, s.layouts);
    counts("filters", FILTERS, s.filters);
    number("external_files", s.externalFiles);
    out.name("types").open('[');
    s.typeUses.forEach(this::type);
    out.close(']').close('}');
  }

  private void counts(String name, String[] words, long[] counts) {
    out.name(name).open('{');
    for (int i = 0; i < words.length; i++) {
      out.member(words[i], counts[i]);
    }
    out.close('}');
  }

  private void type(FileStatistics.TypeUse use) {
    out.open('{').member("count", use.count).member("committed", use.committed);
    number("description_bytes", TypeSizes.encoded(use));
    number("element_bytes", TypeSizes.memory(use.type));
    out.name("type");
    new TypeJson(out).write(use.type);
    out.close('}');
  }

  private void space() {
    CreateOptions creation = info.creation();
    out.name("space").open('{');
    out.member("strategy", creation.space().kind().name().toLowerCase(Locale.ROOT));
    out.name("persist").value(creation.space().persist());
    out.member("threshold_bytes", creation.space().thresholdBytes());
    out.member("page_bytes", creation.space().pageBytes());
    out.member("metadata_bytes", totals.metadataBytes());
    out.name("all_metadata_known").value(totals.isMeasured());
    out.member("raw_data_bytes", s.rawBytes);
    out.member("free_bytes", totals.freeBytes());
    out.member("unaccounted_bytes", totals.restBytes());
    out.member("file_bytes", info.sizeBytes());
    out.member("external_raw_data_bytes", s.externalBytes);
    sections();
    out.close('}');
  }

  private void sections() {
    List<Long> sections = new ArrayList<>();
    s.wholeFile.freeSections().forEach(sections::add);
    long listed = sections.stream().mapToLong(Long::longValue).sum();
    out.name("free_sections");
    if (listed != totals.freeBytes()) {
      out.value((String) null);
      return;
    }
    TreeMap<Long, Long> counts = new TreeMap<>();
    sections.forEach(bytes -> counts.merge(bytes, 1L, Long::sum));
    out.open('[');
    counts.forEach(this::count);
    out.close(']');
  }
}
