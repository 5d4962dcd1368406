package org.hyperslab.format.index.symbol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.header.SymbolTableMessage;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.metadata.MemoryMetadataSpace;
import org.hyperslab.format.superblock.SymbolTableEntry;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SymbolTableRandomTest {

  private static final Comparator<String> BYTE_ORDER =
      (a, b) ->
          Arrays.compareUnsigned(
              a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));

  private final long seed = Seeds.draw();
  private final Random random = new Random(seed);

  @ParameterizedTest
  @CsvSource({"1,1,2", "1,2,4", "4,16,8", "2,1,8", "3,5,8"})
  void behavesAsASortedMap(int leafK, int internalK, int sizes) {
    System.out.println("hyperslab.seed=" + seed);
    GroupNodeSizes nodeSizes = new GroupNodeSizes(leafK, internalK);
    MemoryMetadataSpace space = new MemoryMetadataSpace(new FileGeometry("memory", sizes, sizes));
    TreeMap<String, String> model = new TreeMap<>(BYTE_ORDER);
    SymbolTableMessage message = SymbolTable.create(space, nodeSizes, 0).message();
    int steps = sizes == 2 ? 300 : 3000;
    for (int step = 0; step < steps; step++) {
      SymbolTable table = SymbolTable.open(space, message, nodeSizes);
      boolean growing = step % 1000 < 700;
      String name = name();
      if (random.nextInt(10) < (growing ? 8 : 2)) {
        insert(table, model, name, step);
      } else {
        remove(table, model, model.isEmpty() ? name : choose(model));
      }
      if (random.nextInt(50) == 0) {
        space.evict();
      }
      if (random.nextInt(100) == 0) {
        verify(SymbolTable.open(space, message, nodeSizes), model);
      }
    }
    space.evict();
    verify(SymbolTable.open(space, message, nodeSizes), model);
    SymbolTable.open(space, message, nodeSizes).delete();
    assertThat(space.allocations()).isEmpty();
  }

  private void insert(
      SymbolTable table, NavigableMap<String, String> model, String name, int step) {
    boolean soft = random.nextInt(4) == 0;
    String target = soft ? "/path/" + step : Long.toString(1 + step);
    if (model.containsKey(name)) {
      assertThatThrownBy(() -> insert(table, name, soft, target))
          .isInstanceOf(AlreadyExistsException.class)
          .hasMessageContaining(name);
      return;
    }
    insert(table, name, soft, target);
    model.put(name, target);
  }

  private static void insert(SymbolTable table, String name, boolean soft, String target) {
    if (soft) {
      table.insertSoft(name, target);
    } else {
      table.insertHard(name, Long.parseLong(target), new SymbolTableEntry.Nothing());
    }
  }

  private static void remove(SymbolTable table, NavigableMap<String, String> model, String name) {
    if (model.remove(name) == null) {
      assertThatThrownBy(() -> table.remove(name)).isInstanceOf(NotFoundException.class);
    } else {
      table.remove(name);
    }
  }

  private String choose(NavigableMap<String, String> model) {
    String from = model.ceilingKey(name());
    return from == null ? model.lastKey() : from;
  }

  private String name() {
    String alphabet = "abcµ漢Z~";
    StringBuilder name = new StringBuilder();
    int length = 1 + random.nextInt(5);
    for (int i = 0; i < length; i++) {
      name.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return name.toString();
  }

  private void verify(SymbolTable table, NavigableMap<String, String> model) {
    List<String> expected = new ArrayList<>();
    model.forEach((name, target) -> expected.add(name + "=" + target));
    List<String> actual = new ArrayList<>();
    Optional<String> after = Optional.empty();
    int limit = 1 + random.nextInt(20);
    List<NamedEntry> page;
    do {
      page = table.list(after, limit);
      for (NamedEntry each : page) {
        actual.add(each.name() + "=" + target(table, each.entry()));
        after = Optional.of(each.name());
      }
    } while (page.size() == limit);
    assertThat(actual).as("seed " + seed).isEqualTo(expected);
    assertThat(table.count()).isEqualTo(model.size());
    assertThat(table.isEmpty()).isEqualTo(model.isEmpty());
    for (String name : model.keySet()) {
      assertThat(table.find(name).map(entry -> target(table, entry))).contains(model.get(name));
    }
    String absent = name() + "?";
    assertThat(table.find(absent)).isEmpty();
    String from = name();
    assertThat(table.list(Optional.of(from), 3).stream().map(NamedEntry::name))
        .isEqualTo(model.tailMap(from, false).keySet().stream().limit(3).toList());
  }

  private static String target(SymbolTable table, SymbolTableEntry entry) {
    return entry.isSoftLink() ? table.softLinkPath(entry) : Long.toString(entry.headerAddress());
  }

  @Test
  void fillsNodesWhenNamesComeInOrder() {
    MemoryMetadataSpace space = MemoryMetadataSpace.empty();
    SymbolTable table = SymbolTable.create(space, GroupNodeSizes.DEFAULT, 0);
    for (int i = 0; i < 10_000; i++) {
      table.insertHard(String.format("d%06d", i), 1000 + i, new SymbolTableEntry.Nothing());
    }
    assertThat(table.count()).isEqualTo(10_000);
    assertThat(table.treeBytes()).isLessThan(10_000 * 60);
  }
}
