package org.hyperslab.vol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.TransferOptions;
import org.junit.jupiter.api.Test;

/** Tests when transfers of several datasets end, and with which result. */
final class MultiTransfersTest {

  private static DatasetOperation.Read read(long dataset) {
    DatasetOperation.Transfer transfer =
        new DatasetOperation.Transfer(
            Datatypes.NATIVE_INT,
            Dataspace.simple(1),
            Selection.all(),
            Selection.all(),
            TransferOptions.COLLECTIVE);
    DataBuffer target = DataBuffer.allocate(Datatypes.NATIVE_INT, 1);
    return new DatasetOperation.Read(new Handle(dataset), transfer, target);
  }

  @Test
  void endsWhenThePartsBeforeOneThatThrowsHaveEnded() {
    ArrayDeque<CompletableFuture<Void>> submitted = new ArrayDeque<>();
    CompletableFuture<Void> all =
        MultiTransfers.submit(
            new DatasetOperation.ReadMulti(List.of(read(1), read(2), read(3))),
            part -> {
              submitted.add(new CompletableFuture<>());
              if (submitted.size() == 2) {
                throw new StorageException("gone");
              }
              return submitted.getLast();
            });
    assertThat(all).isNotDone();
    assertThat(submitted).as("nothing after the failure").hasSize(2);
    submitted.getFirst().complete(null);
    assertThatThrownBy(all::join)
        .hasCauseInstanceOf(StorageException.class)
        .hasMessageContaining("gone; part 2 of 3");
  }
}
