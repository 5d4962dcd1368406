package org.hyperslab.vol.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InternalErrorException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.vol.Capability;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.GroupOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.Operation;
import org.junit.jupiter.api.Test;

class SynchronousConnectorTest {

  private final OpenTable<String> open = new OpenTable<>();

  @Test
  void theResultIsCompleteWhenSubmitReturns() {
    assertThat(exists(() -> true).toCompletableFuture().resultNow()).isTrue();
  }

  @Test
  void whatIsThrownFailsTheStageAndTheHandle() {
    NotFoundException cause = new NotFoundException("no such file");
    Handle file = Handle.fresh();
    assertThat(failure(new FileOperation.Open(file, "a.h5", OpenOptions.READ), thrower(cause)))
        .isSameAs(cause);
    assertThatThrownBy(() -> open.require(file)).isSameAs(cause);
  }

  @Test
  void untypedFailuresAreTyped() {
    Operation<?> operation = new FileOperation.Exists(Handle.fresh(), "a.h5");
    assertThat(failure(operation, thrower(new IllegalStateException("broken"))))
        .isInstanceOf(InternalErrorException.class)
        .hasMessageContaining("Exists[")
        .hasRootCauseMessage("broken");
    assertThat(failure(operation, thrower(new StackOverflowError())))
        .isInstanceOf(InternalErrorException.class);
    assertThat(failure(operation, thrower(new NoClassDefFoundError("absent"))))
        .isInstanceOf(InternalErrorException.class);
    assertThat(failure(operation, thrower(new OutOfMemoryError("full"))))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("Exists");
  }

  @Test
  void kindsThatAreNotOverriddenAreUnsupported() {
    assertThat(
            failure(
                new GroupOperation.Describe(Location.of(Handle.fresh())),
                thrower(new AssertionError())))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("connector fixed: actual=Describe");
  }

  private CompletionStage<Boolean> exists(Supplier<Object> answer) {
    return new Fixed(answer).submit(new FileOperation.Exists(Handle.fresh(), "a.h5"));
  }

  private HyperslabException failure(Operation<?> operation, Supplier<Object> answer) {
    return (HyperslabException)
        new Fixed(answer).submit(operation).toCompletableFuture().exceptionNow();
  }

  private static Supplier<Object> thrower(Throwable thrown) {
    return () -> {
      throw SynchronousConnectorTest.<RuntimeException>asUnchecked(thrown);
    };
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> E asUnchecked(Throwable thrown) throws E {
    throw (E) thrown;
  }

  /** A connector that answers every operation on files by a function. */
  private final class Fixed extends SynchronousConnector {
    private final Supplier<Object> answer;

    Fixed(Supplier<Object> answer) {
      super("fixed", EnumSet.of(Capability.READ), open);
      this.answer = answer;
    }

    @Override
    protected Object file(FileOperation<?> operation) {
      return answer.get();
    }

    @Override
    public void close() {}
  }
}
