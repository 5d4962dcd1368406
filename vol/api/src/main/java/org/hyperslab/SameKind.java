package org.hyperslab;

import java.util.Arrays;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Layout;

/**
 * Compares datasets with what is asked for, and describes them for creating others like them.
 *
 * <p>Thread rule: no state.
 */
final class SameKind {

  private SameKind() {}

  /** Refuses another extent, or a stored type that does not hold every value of a type. */
  static void require(Datatype stored, Dataspace there, Datatype type, Dataspace space) {
    boolean same =
        space.isExtendible()
            ? Arrays.equals(there.maxDims(), space.maxDims())
            : Arrays.equals(there.dims(), space.dims());
    if (there.kind() != space.kind() || !same) {
      throw new InvalidUseException("dataset: actual=" + there + ", expected=" + space);
    }
    if (!holds(stored, type)) {
      throw new InvalidUseException(
          "dataset: actual=elements of "
              + stored.describe()
              + ", expected=of a type that holds every value of "
              + type.describe());
    }
  }

  /** Returns whether a stored type holds every value of another without rounding it. */
  private static boolean holds(Datatype stored, Datatype type) {
    if (stored instanceof IntegerType there && type instanceof IntegerType wanted) {
      int extra = there.signed() && !wanted.signed() ? 1 : 0;
      boolean sign = there.signed() || !wanted.signed();
      return sign && there.precision() >= wanted.precision() + extra;
    }
    if (stored instanceof FloatType there && type instanceof FloatType wanted) {
      return wanted.isWithin(there);
    }
    if (stored instanceof FloatType there && type instanceof IntegerType wanted) {
      return there.fields().mantissaSize() + 1 >= wanted.precision() - (wanted.signed() ? 1 : 0);
    }
    return stored.inMemory().equals(type.inMemory());
  }

  /** Returns the options of a dataset, with storage in the file itself. */
  static DatasetOptions inFile(DatasetOptions options) {
    return switch (options.layout()) {
      case Layout.External _, Layout.Virtual _ ->
          options.toBuilder().layout(new Layout.Auto()).build();
      case Layout.Auto _, Layout.Compact _, Layout.Contiguous _, Layout.Chunked _ -> options;
    };
  }
}
