package org.hyperslab.vol.passthrough;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.hyperslab.format.space.RunCursor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class PagingTest {

  static Stream<Arguments> extents() {
    return Stream.of(
        Arguments.of(new long[] {10}, 8, 24L),
        Arguments.of(new long[] {7, 5}, 4, 40L),
        Arguments.of(new long[] {7, 5}, 4, 8L),
        Arguments.of(new long[] {7, 5}, 4, 10_000L),
        Arguments.of(new long[] {3, 4, 5}, 1, 20L),
        Arguments.of(new long[] {3, 4, 5}, 1, 1L),
        Arguments.of(new long[] {3, 4, 5}, 16, 8L),
        Arguments.of(new long[] {2, 3, 4, 5}, 2, 90L));
  }

  @ParameterizedTest
  @MethodSource("extents")
  void pagesCoverTheExtentOnceInOrder(long[] dims, int elementBytes, long pageBytes) {
    Paging paging = Paging.of(dims, elementBytes, pageBytes);
    long count = 1;
    for (long length : dims) {
      count *= length;
    }
    long at = 0;
    for (long page = 0; at < count; page++) {
      assertThat(paging.start(page)).isEqualTo(at);
      assertThat(paging.length(page)).isPositive();
      assertThat(paging.length(page) * elementBytes)
          .isLessThanOrEqualTo(Math.max(pageBytes, elementBytes));
      RunCursor runs = paging.selection(page).runs(dims);
      assertThat(runs.next()).isTrue();
      assertThat(runs.offset()).isEqualTo(at);
      assertThat(runs.length()).isEqualTo(paging.length(page));
      assertThat(runs.next()).isFalse();
      for (long i = 0; i < paging.length(page); i++) {
        assertThat(paging.pageOf(at + i)).isEqualTo(page);
      }
      at += paging.length(page);
    }
    assertThat(at).isEqualTo(count);
  }
}
