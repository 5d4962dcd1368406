package org.hyperslab.format.index.btree;

/** A record of one key and filler up to a size, for tests. */
record LongRecord(long key) {

  /** Records of {@code size} (at least 8) bytes, type number 9. */
  record Codec(int size) implements RecordCodec<LongRecord> {

    @Override
    public int type() {
      return 9;
    }

    @Override
    public int encodedSize() {
      return size;
    }

    @Override
    public void encode(LongRecord record, byte[] target, int at) {
      RecordBytes.putInt64(target, at, record.key());
      for (int i = 8; i < size; i++) {
        target[at + i] = (byte) (record.key() + i);
      }
    }

    @Override
    public LongRecord decode(byte[] source, int at) {
      return new LongRecord(RecordBytes.int64(source, at));
    }

    @Override
    public int compare(LongRecord record, byte[] records, int at) {
      return Long.compare(record.key(), RecordBytes.int64(records, at));
    }

    RecordKey key(long key) {
      return (records, at) -> Long.compare(key, RecordBytes.int64(records, at));
    }
  }
}
