package org.hyperslab.format.filter.coder;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.hyperslab.format.filter.FilterScratch;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.Span;
import org.hyperslab.format.memory.JvmDefects;
import org.hyperslab.testkit.ChildJvm;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

/** Tests that no array reaches native code in a JVM that would move it. */
class ZlibMemoryTest {

  private static final int TURNS = 400;

  /** Encodes and decodes on two threads while a third one makes the collector run. */
  public static void main(String[] arguments) {
    if (!JvmDefects.movesPinnedArrays() || LibDeflate.open() != null) {
      throw new AssertionError("the guard is not active");
    }
    Thread garbage =
        new Thread(() -> {
          List<byte[]> kept = new ArrayList<>();
          for (int i = 0; ; i++) {
            kept.add(new byte[1 + i % 50_000]);
            if (kept.size() > 300) {
              kept.subList(0, 200).clear();
            }
          }
        });
    garbage.setDaemon(true);
    garbage.start();
    long seed = Long.parseLong(arguments[0]);
    IntStream.range(0, 2).parallel().forEach(thread -> roundTrips(new Random(seed + thread)));
    System.out.println("fine");
  }

  private static void roundTrips(Random random) {
    for (int turn = 0; turn < TURNS; turn++) {
      byte[] data = new byte[random.nextInt(400_000)];
      for (int i = 0; i < data.length; i++) {
        data[i] = (byte) (random.nextInt(7) * i);
      }
      for (BlockCodecs.Coder coder : BlockCodecs.Coder.values()) {
        requireSame(data, coder, random.nextInt(9) + 1);
      }
    }
  }

  private static void requireSame(byte[] data, BlockCodecs.Coder coder, int level) {
    FilterScratch scratch = new FilterScratch();
    try {
      BlockCodecs codecs = BlockCodecs.of(scratch);
      byte[] coded = new byte[BlockCodecs.maximumEncodedBytes(data.length)];
      int length = codecs.encode(coder, level, span(data, data.length), span(coded, coded.length));
      byte[] back = new byte[data.length];
      int made = codecs.decode(coder, span(coded, length), span(back, back.length));
      if (made != data.length || !Arrays.equals(data, back)) {
        throw new AssertionError(coder + " of " + data.length + " bytes");
      }
    } catch (MalformedDataException failure) {
      throw new AssertionError(coder + " of " + data.length + " bytes", failure);
    } finally {
      scratch.close();
    }
  }

  private static Span span(byte[] array, int length) {
    return new Span(array, 0, length);
  }

  @Test
  void arraysArePassedInNativeMemoryWhereTheyWouldMove() {
    MemorySegment array = MemorySegment.ofArray(new byte[] {1, 2, 3});
    ByteBuffer copied = new ZlibMemory(true).input(array);
    assertThat(copied.isDirect()).isTrue();
    assertThat(copied).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
    assertThat(new ZlibMemory(false).input(array).isDirect()).isFalse();
  }

  @Test
  void dataIsRightWhileTheCollectorRuns() throws IOException, InterruptedException {
    List<String> command = ChildJvm.command(256, ZlibMemoryTest.class, Long.toString(Seeds.draw()));
    command.replaceAll(word -> word.equals("-XX:+UseSerialGC") ? "-XX:+UseG1GC" : word);
    command.add(1, "-Dhyperslab.pinnedArrays=avoid");
    Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(child.waitFor()).as(said).isZero();
    assertThat(said).contains("Use 25.0.3 or newer").endsWith("fine\n");
  }
}
