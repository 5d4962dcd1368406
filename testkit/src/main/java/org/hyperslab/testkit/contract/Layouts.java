package org.hyperslab.testkit.contract;

import java.util.Arrays;
import java.util.function.Function;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.model.AllocationTime;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Layout;

/** The layouts with which datasets are tested, each for a shape of any rank from 1. */
@SuppressWarnings("ImmutableEnumChecker") // the functions hold nothing
enum Layouts {
  /** The layout that the connector chooses. */
  AUTOMATIC(dims -> DatasetOptions.DEFAULT),
  /** In the object header. */
  COMPACT(dims -> DatasetOptions.builder().layout(new Layout.Compact()).build()),
  /** One block in the file. */
  CONTIGUOUS(dims -> DatasetOptions.builder().layout(new Layout.Contiguous()).build()),
  /** One chunk that holds everything. */
  ONE_CHUNK(dims -> DatasetOptions.chunked(dims).build()),
  /** Chunks that do not divide the shape. */
  CHUNKED(dims -> DatasetOptions.chunked(chunk(dims)).build()),
  /** Like {@link #CHUNKED}, deflated. */
  DEFLATED(dims -> DatasetOptions.chunked(chunk(dims)).deflate(6).build()),
  /** Like {@link #CHUNKED}, through three filters. */
  FILTERED(dims -> DatasetOptions.chunked(chunk(dims)).shuffle().deflate(1).fletcher32().build()),
  /** Like {@link #CHUNKED}, with one unlimited dimension. */
  GROWING(dims -> DatasetOptions.chunked(chunk(dims)).build()),
  /** Like {@link #CHUNKED}, deflated, with every dimension unlimited. */
  GROWING_ALL(dims -> DatasetOptions.chunked(chunk(dims)).deflate(2).build()),
  /** Like {@link #CHUNKED}, with all chunks allocated early. */
  EARLY(dims -> DatasetOptions.chunked(chunk(dims)).allocationTime(AllocationTime.EARLY).build());

  private final Function<long[], DatasetOptions> options;

  Layouts(Function<long[], DatasetOptions> options) {
    this.options = options;
  }

  private static long[] chunk(long[] dims) {
    return Arrays.stream(dims).map(length -> Math.max(1, (length * 2 + 4) / 5)).toArray();
  }

  DatasetOptions options(long... dims) {
    return options.apply(dims);
  }

  Dataspace space(long... dims) {
    long[] maxDims = dims.clone();
    switch (this) {
      case GROWING -> maxDims[0] = Dataspace.UNLIMITED;
      case GROWING_ALL -> Arrays.fill(maxDims, Dataspace.UNLIMITED);
      case AUTOMATIC, COMPACT, CONTIGUOUS, ONE_CHUNK, CHUNKED, DEFLATED, FILTERED, EARLY -> {}
    }
    return Dataspace.simple(dims, maxDims);
  }
}
