package org.hyperslab.plugins.nativevol.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.metadata.MetadataBlock;
import org.hyperslab.format.metadata.SpaceKind;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.plugins.nativevol.space.Allocator;
import org.hyperslab.plugins.nativevol.space.SpacePolicy;
import org.junit.jupiter.api.Test;

/** Tests which blocks stay in memory if edits need more of it than the cache may take. */
final class MetadataCacheTest {

  private static final int BLOCK_BYTES = 64;
  private static final long LIMIT_BYTES = 3 * BLOCK_BYTES;

  private final MemoryStore store = MemoryStore.copyOf("file", new byte[1 << 16]);
  private final FileGeometry geometry = FileGeometry.standard("file");
  private final Allocator allocator = new Allocator("file", 8, 1 << 10, SpacePolicy.DEFAULT);
  private final MetadataCache cache =
      new MetadataCache(store, geometry, 0, allocator, LIMIT_BYTES, false, false);

  /** A block whose bytes all have one value. */
  private static final class Block implements MetadataBlock {
    private int value;
    private final boolean kept;

    Block(int value) {
      this(value, true);
    }

    Block(int value, boolean kept) {
      this.value = value;
      this.kept = kept;
    }

    @Override
    public boolean isKept() {
      return kept;
    }

    @Override
    public long encodedSize() {
      return BLOCK_BYTES;
    }

    @Override
    public void encode(MetadataWriter writer) {
      for (int i = 0; i < BLOCK_BYTES; i++) {
        writer.u8(value);
      }
    }

    static Block decode(MetadataReader reader) {
      return new Block(reader.u8());
    }
  }

  private long inserted(Block block) {
    long address = cache.allocate(SpaceKind.HEAP, BLOCK_BYTES);
    cache.insert(address, block);
    return address;
  }

  @Test
  void anEditedBlockIsHeldHoweverLittleMemoryIsLeft() {
    Block early = new Block(1);
    long address = inserted(early);
    for (int i = 0; i < 4; i++) {
      inserted(new Block(2));
    }
    cache.relieve(false); // more is dirty than may be: writes and evicts all of them
    assertThat(cache.clean()).isTrue();
    for (int i = 0; i < 4; i++) {
      inserted(new Block(3));
    }

    early.value = 9;
    cache.markDirty(address, early);

    List<CachedBlock> dirty = cache.dirtyDurable();
    assertThat(dirty).hasSize(5).allMatch(CachedBlock::held);
    assertThat(cache.load(address, BLOCK_BYTES, "block", Block.class, Block::decode))
        .isSameAs(early);
  }

  private Block loaded(long address) {
    return cache.load(address, BLOCK_BYTES, "block", Block.class, Block::decode);
  }

  @Test
  void whatNobodyKeepsIsForgottenWhenItWasWrittenAfterTheOutermostEdit() {
    Block block = new Block(5, false);
    long address = inserted(block);
    for (int i = 0; i < 4; i++) {
      inserted(new Block(2));
    }
    cache.relieve(true); // an operation that found the block may be under way
    assertThat(loaded(address)).isSameAs(block);

    Block later = new Block(6, false);
    long place = inserted(later);
    for (int i = 0; i < 4; i++) {
      inserted(new Block(3));
    }
    cache.relieve(false);
    assertThat(loaded(place)).isNotSameAs(later).extracting(read -> read.value).isEqualTo(6);
  }

  @Test
  void whatNobodyKeepsIsNotForgottenBeforeItIsWritten() {
    Block block = new Block(5, false);
    long address = inserted(block);
    cache.relieve(false);
    assertThat(cache.clean()).isFalse();
    assertThat(loaded(address)).isSameAs(block);
  }

  @Test
  void blocksThatWereDiscardedBeforeTheyWereWrittenAreForgotten() {
    List<WeakReference<Block>> all = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      Block block = new Block(i);
      all.add(new WeakReference<>(block));
      cache.discard(inserted(block));
    }
    long left = all.size();
    for (int i = 0; i < 50 && left > 1100; i++) {
      System.gc();
      left = all.stream().filter(each -> each.get() != null).count();
    }
    assertThat(left).isLessThan(1100);
  }
}
