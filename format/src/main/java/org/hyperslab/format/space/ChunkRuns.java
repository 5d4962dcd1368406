package org.hyperslab.format.space;

/**
 * The runs of a selection in one chunk, as element offsets from the chunk's first element, with
 * their positions in the whole selection's order of transfer.
 *
 * <p>Thread rule: confined to one thread. Moving allocates nothing.
 */
final class ChunkRuns extends OrdinalRuns {

  private final OrdinalGroup.Source source;
  private final OrdinalGroup group = new OrdinalGroup();

  ChunkRuns(OrdinalGroup.Source source) {
    this.source = source;
  }

  @Override
  public boolean nextGroup() {
    return source.load(group);
  }

  @Override
  public long offset() {
    return group.offset;
  }

  @Override
  public long length() {
    return group.length;
  }

  @Override
  public long stride() {
    return group.stride;
  }

  @Override
  public long repeats() {
    return group.repeats;
  }

  @Override
  public long ordinal() {
    return group.ordinal;
  }

  @Override
  public long ordinalStride() {
    return group.ordinalStride;
  }
}
