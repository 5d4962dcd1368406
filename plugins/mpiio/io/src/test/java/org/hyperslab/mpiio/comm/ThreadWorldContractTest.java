package org.hyperslab.mpiio.comm;

import java.time.Duration;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Runs the contract of communicators with threads, in worlds of several sizes. */
final class ThreadWorldContractTest {

  private static final long SEED = Seeds.draw();

  @TestFactory
  Stream<DynamicTest> fulfilsTheContract() {
    System.out.println("CommunicatorContract: -Dhyperslab.seed=" + SEED);
    return IntStream.of(1, 2, 3, 4, 7)
        .boxed()
        .flatMap(ranks ->
            CommunicatorContract.checks(SEED).stream()
                .map(check ->
                    DynamicTest.dynamicTest(
                        check.name() + " on " + ranks + " ranks",
                        () ->
                            ThreadWorld.of(ranks)
                                .withTimeLimit(Duration.ofMinutes(5))
                                .run(check.body()))));
  }
}
