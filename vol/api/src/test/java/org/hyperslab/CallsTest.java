package org.hyperslab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InternalErrorException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.LimitExceededException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.RemoteException;
import org.hyperslab.error.StorageException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class CallsTest {

  static Stream<HyperslabException> failures() {
    return Stream.of(
        new CorruptFileException("f.h5", "superblock", 8, "actual=1, expected=2"),
        new UnsupportedFeatureException("u"),
        new StorageException("s"),
        new InvalidUseException("i"),
        new LimitExceededException("l"),
        new NotFoundException("n"),
        new AlreadyExistsException("a"),
        new RemoteException("r"),
        InternalErrorException.unexpected("x", new IllegalStateException("y")));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void failureOfAnotherThreadIsThrownAgainHere(HyperslabException original) {
    CompletableFuture<Integer> call = CompletableFuture.failedFuture(original);
    Throwable thrown = catchThrowable(() -> Calls.await(call.thenApply(x -> x + 1)));
    assertThat(thrown).isExactlyInstanceOf(original.getClass()).hasMessage(original.getMessage());
    assertThat(thrown).isNotSameAs(original);
    assertThat(thrown.getCause()).isSameAs(original.getCause());
    assertThat(Arrays.stream(thrown.getStackTrace()).map(StackTraceElement::getMethodName))
        .contains("failureOfAnotherThreadIsThrownAgainHere");
  }

  @Test
  void corruptionKeepsFileStructureAndOffset() {
    CompletableFuture<Integer> call =
        CompletableFuture.failedFuture(
            new CorruptFileException("f.h5", "superblock", 8, "actual=1, expected=2"));
    CorruptFileException thrown = (CorruptFileException) catchThrowable(() -> Calls.await(call));
    assertThat(thrown.file()).isEqualTo("f.h5");
    assertThat(thrown.structure()).isEqualTo("superblock");
    assertThat(thrown.offset()).isEqualTo(8);
  }

  private static CompletableFuture<Void> failHere() {
    return CompletableFuture.failedFuture(new StorageException("here"));
  }

  @Test
  void failureOfThisCallHasNoCause() {
    Throwable thrown = catchThrowable(CallsTest::awaitHere);
    assertThat(thrown).isInstanceOf(StorageException.class).hasNoCause();
  }

  private static void awaitHere() {
    Calls.await(failHere());
  }

  @Test
  void resultIsReturned() {
    assertThat(Calls.await(CompletableFuture.completedFuture(7))).isEqualTo(7);
  }
}
